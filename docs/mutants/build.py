#!/usr/bin/env python3
"""Builds all mutants of cargo-mutants into one copy of the tree; the environment variable MUTANT chooses one when a test runs.

    git archive HEAD | tar x -C COPY
    cargo mutants --list --json > COPY/mutants.json
    docs/mutants/build.py COPY

Each function with mutants becomes a `match` over their numbers, with the mutated bodies as its arms and the real one as the last.
What does not compile is unviable: it is noted in COPY/unviable.json with the compiler's reason and left out, and the rest is built again.
`const` before `fn` is left out in the copy, as the number is known at run time only.
"""

import collections
import json
import os
import re
import subprocess
import sys

COPY = os.path.abspath(sys.argv[1])
CHOICE = '''
pub(crate) fn __mutant() -> u32 {
    static ID: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ID.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
}
'''


def offset(starts, place):
    return starts[place['line'] - 1] + place['column'] - 1


def body_of(text, at, end):
    """Where the body of a function begins."""
    depth = 0
    while at < end:
        char = text[at]
        if text.startswith('//', at):
            at = text.index('\n', at)
            continue
        if char == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == '\\' else 1
        elif char in '([':
            depth += 1
        elif char in ')]':
            depth -= 1
        elif char == '{' and depth == 0:
            return at
        at += 1
    raise SystemExit('a function without a body')


def mutated(text, mutants):
    """The file with its mutants in it, and the lines of each."""
    starts = [0]
    for line in text.split('\n'):
        starts.append(starts[-1] + len(line) + 1)
    span = lambda it: (offset(starts, it['start']), offset(starts, it['end']))
    functions = {span(mutant['function']['span']) for mutant in mutants}
    by_function = collections.defaultdict(list)
    for mutant in mutants:
        own = span(mutant['function']['span'])
        # A function in a function is a part of the body of the outer one.
        around = (outer for outer in functions if outer[0] <= own[0] and own[1] <= outer[1])
        by_function[max(around, key=lambda outer: outer[1] - outer[0])].append(mutant)
    out, at, lines = '', 0, []
    for (begin, end), its in sorted(by_function.items()):
        body = body_of(text, begin, end)
        head = re.sub(r'\bconst (?=(async )?fn\b)', '', text[begin:body])
        out += text[at:begin] + head + '{ match crate::__mutant() {\n'
        for mutant in its:
            first, last = span(mutant['span'])
            if mutant['genre'] == 'StructField' and text[last] == ',':
                last += 1
            arm = f"{mutant['id']} => {text[body:first]} {mutant['replacement']} {text[last:end]}\n"
            line = out.count('\n') + 1
            lines.append((line, line + arm.count('\n') - 1, mutant['id']))
            out += arm
        out += '_ => ' + text[body:end] + '\n} }'
        at = end
    return out + text[at:], lines


def errors(lines):
    """Builds, and says which mutants the compiler refuses."""
    refused = {}
    command = ['cargo', 'test', '--no-run', '-p', 'retry-runtime', '--lib', '--message-format=json']
    run = subprocess.run(command, cwd=COPY, capture_output=True, text=True)
    for line in run.stdout.splitlines():
        message = json.loads(line).get('message')
        if not isinstance(message, dict) or message['level'] != 'error':
            continue
        for span in sorted(message['spans'], key=lambda span: not span['is_primary']):
            file = os.path.relpath(os.path.join(COPY, span['file_name']), COPY)
            hit = [number for first, last, number in lines.get(file, []) if first <= span['line_start'] <= last]
            refused.update((number, message['message']) for number in hit)
            if hit:
                break
    if run.returncode and not refused:
        raise SystemExit(run.stderr)
    return refused


mutants = json.load(open(f'{COPY}/mutants.json'))
for number, mutant in enumerate(mutants, 1):
    mutant['id'] = number
originals = {mutant['file']: open(f"{COPY}/{mutant['file']}").read() for mutant in mutants}
for crate in ['retry-runtime', 'retry-macros']:
    with open(f'{COPY}/{crate}/src/lib.rs', 'a') as lib:
        lib.write(CHOICE)
unviable = {}
while True:
    lines = {}
    for file, text in originals.items():
        # A constant has no function to be switched in.
        its = [m for m in mutants if m['file'] == file and m['function'] and m['id'] not in unviable]
        new, lines[file] = mutated(text, its)
        if open(f'{COPY}/{file}').read() != new:
            open(f'{COPY}/{file}', 'w').write(new)
    refused = errors(lines)
    unviable.update(refused)
    json.dump(unviable, open(f'{COPY}/unviable.json', 'w'), indent=1)
    if not refused:
        break
print(len(mutants), 'mutants,', len(unviable), 'unviable')
