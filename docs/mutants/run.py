#!/usr/bin/env python3
"""Runs the tests against each mutant of a copy that `build.py` has made, until one of them fails: `docs/mutants/run.py COPY [FILE]`.

With FILE, only the mutants of files whose path contains it. A line for each goes to COPY/results.jsonl; one that has a line is not run again.
Two mutants are tried at a time. A test program that takes longer than LIMIT seconds (60) counts as a timeout.
"""

import concurrent.futures
import json
import os
import subprocess
import sys

COPY = os.path.abspath(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
LIMIT = float(os.environ.get('LIMIT', 60))
ROOT = ['loops', 'matrix', 'promises', 'batching', 'pacing', 'pages', 'apis']


def programs():
    """The test programs by name, built, with the folder each is run in."""
    found = {}
    for arguments in [['-p', 'retry-runtime', '--lib'], ['-p', 'retry-macros', '--lib'], [f'--test={name}' for name in ROOT]]:
        command = ['cargo', 'test', '--no-run', '--message-format=json', *arguments]
        run = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, text=True, check=True)
        for line in run.stdout.splitlines():
            built = json.loads(line)
            if built.get('executable') and built['profile']['test']:
                found[built['target']['name']] = (built['executable'], os.path.dirname(built['manifest_path']))
    return found


def judges(file):
    """The tests that judge a file, the likeliest to notice first."""
    if file.startswith('retry-macros'):
        return ['retry_macros']
    if '/transport/limit/' in file:
        return ['retry_runtime', 'pacing', 'batching', 'loops', 'promises']
    if '/transport/batch/' in file or '/api/' in file:
        return ['retry_runtime', 'batching', 'pacing', 'loops', 'promises', 'apis']
    return ['loops', 'matrix', 'promises', 'retry_runtime', 'batching', 'pacing', 'pages', 'apis']


def tried(mutant):
    for name in judges(mutant['file']):
        program, folder = PROGRAMS[name]
        env = dict(os.environ, MUTANT=str(mutant['id']), CARGO_MANIFEST_DIR=folder, INSTA_UPDATE='no', LD_LIBRARY_PATH=LIBRARIES)
        try:
            done = subprocess.run([program, '-q'], cwd=folder, env=env, timeout=LIMIT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return 'timeout', name
        if done.returncode:
            return 'killed', name
    return 'survived', None


mutants = json.load(open(f'{COPY}/mutants.json'))
unviable = json.load(open(f'{COPY}/unviable.json'))
results = f'{COPY}/results.jsonl'
known = {json.loads(line)['id'] for line in open(results)} if os.path.exists(results) else set()
todo = []
for number, mutant in enumerate(mutants, 1):
    mutant['id'] = number
    if mutant['function'] and str(number) not in unviable and number not in known and ONLY in mutant['file']:
        todo.append(mutant)
PROGRAMS = programs()
LIBRARIES = subprocess.check_output(['rustc', '--print', 'target-libdir'], cwd=COPY, text=True).strip()
print(len(todo), 'mutants; first all tests without one')
for name, (program, folder) in PROGRAMS.items():
    env = dict(os.environ, CARGO_MANIFEST_DIR=folder, INSTA_UPDATE='no', LD_LIBRARY_PATH=LIBRARIES)
    if subprocess.run([program, '-q'], cwd=folder, env=env).returncode:
        raise SystemExit(f'{name} fails without a mutant')
with concurrent.futures.ThreadPoolExecutor(2) as pool, open(results, 'a') as out:
    for mutant, (result, by) in zip(todo, pool.map(tried, todo)):
        line = {'id': mutant['id'], 'name': mutant['name'], 'result': result, 'by': by}
        out.write(json.dumps(line) + '\n')
        out.flush()
        if result != 'killed':
            print(result, mutant['name'], flush=True)
