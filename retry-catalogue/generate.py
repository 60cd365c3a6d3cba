#!/usr/bin/env python3
"""Writes src/catalogue.tsv from the facts about the methods and from overlay.tsv.

    python3 retry-catalogue/generate.py FACTS_DIRECTORY            writes the table
    python3 retry-catalogue/generate.py FACTS_DIRECTORY --check    says whether it is up to date

FACTS_DIRECTORY holds `bitrix24-methods.tsv` (method, rest_versions, kind, effect, deprecated) and
`bitrix24-methods-evidence.tsv` (method, replay). They are not in this repository; overlay.tsv is.

The facts give each method its name, versions, kind, action and what a second send does. From these a default follows
for each write: the read of its own family (`.get`, else `.list`), how strong that is, and a hint. overlay.tsv has what
a person judged, and wins:

* `method`: one or more names or patterns, with spaces between them. Later rows win over earlier ones, cell by cell.
* an empty cell leaves what there was, `-` empties it.
* `{read}` is the read method in backticks, `{family}` the name without its last segment, `{last}` that segment.
* `outdated` counts only for methods that the facts call outdated: the method that replaces it (a star is what the star
  of the pattern matched), then a note in brackets; `yes` if nothing is known; `-` says that the facts are wrong.
* `forms` is `two` where the arguments decide whether the method reads or writes.

Everything that a row names is checked here; the tests of the crate check the result again.
"""

import csv
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = (
    "method versions kind forms action replay outdated strength read_with keys hint again reason".split()
)
# Where a segment is no English for what it stands for.
NOUNS = {
    "automatedsolution": "automated solution",
    "bankdetail": "bank detail",
    "basketproperties": "basket property",
    "cashbox": "cash register",
    "delivery": "delivery service",
    "mailservice": "mail service",
    "paysystem": "payment system",
    "preset": "requisite template",
    "productsection": "product section",
    "propertygroup": "property group",
    "propertyvariant": "property variant",
    "service": "extra service",
    "shipmentproperty": "shipment property",
    "stages": "stage",
    "userfield": "custom field",
    "vat": "VAT rate",
}


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def main():
    facts = Path(sys.argv[1])
    replay = {row["method"]: row["replay"] for row in table(facts / "bitrix24-methods-evidence.tsv")}
    methods = {row["method"]: first_row(row, replay) for row in table(facts / "bitrix24-methods.tsv")}
    reads = {name.lower(): name for name, row in methods.items() if row["kind"] == "read"}
    for name, row in methods.items():
        if row["kind"] == "write":
            defaults(name, row, reads)
    overlay(methods)
    for name, row in methods.items():
        finish(name, row, methods)
    lines = ["\t".join(COLUMNS)]
    for name in sorted(methods, key=str.lower):
        lines.append("\t".join(methods[name][column] or "-" for column in COLUMNS))
    write("\n".join(lines) + "\n")


def first_row(fact, replay):
    row = dict.fromkeys(COLUMNS, "")
    row["method"] = fact["method"]
    row["versions"] = fact["rest_versions"].replace("+", "")
    row["kind"] = fact["kind"]
    row["action"] = fact["effect"]
    row["replay"] = replay[fact["method"]]
    row["outdated"] = "yes" if fact["deprecated"] == "y" else ""
    return row


def defaults(name, row, reads):
    """What follows from the action, from what a second send does and from the reads of the same family."""
    family = name.rpartition(".")[0]
    one = reads.get(f"{family}.get".lower()) or reads.get(f"{family}.getById".lower())
    many = reads.get(f"{family}.list".lower()) or reads.get(f"{family}.getList".lower())
    row["read_with"] = one or many or ""
    row["again"] = again(family, row)
    if row["versions"] == "3":
        row["strength"], row["keys"] = "server", "Idempotency-Key"
        if row["action"] == "create":
            row["read_with"] = many or ""
        return
    row["strength"] = "exact" if one else "parent" if many else "nothing"
    row["keys"] = "id" if one or many else ""
    if row["action"] == "create" and many:
        row["read_with"], row["strength"], row["keys"] = many, "parent", ""
        if row["replay"] == "refused":
            row["strength"] = "server"
    elif row["action"] not in ("update", "delete"):
        row["read_with"], row["strength"], row["keys"] = "", "nothing", ""


def hint(row):
    """What follows from the way back, where nobody said more."""
    match row["strength"], row["action"]:
        case "server", _ if row["versions"] == "3":
            return (
                "send it with an idempotency key: "
                "for 24 hours REST 3.0 answers the same key and body with the first result"
            )
        case "server", _:
            return "{read} by its key: a key that is taken is refused, so make it new for each operation"
        case "exact", "update":
            return (
                "{read} by the same id, and compare each field you sent; "
                "with the state from before the first send it can prove absence as well"
            )
        case "parent", "update":
            return "{read}: find the row by its id, and compare each field you sent"
        case "nothing", "update":
            return (
                "no documented read shows what it sets; the same values again leave the same state, "
                "unless somebody changed it in between"
            )
        case "exact", "delete":
            return "{read} by the same id: not found means that it is gone, if it was seen before the first send"
        case "parent", "delete":
            return "{read}, read to its end: the row with its id is missing; lost rights look the same"
        case "nothing", "delete":
            return "no documented read shows whether it is gone"
        case "parent", "create":
            return (
                "{read}, read to its end, and compare each row with what you sent: no key of your own is documented, "
                "so put a marker into a text you own"
            )
        case "nothing", _:
            return "no documented read finds it by anything that you sent"
        case _:
            sys.exit(f"a hint has to be written for {row['method']}")


def again(family, row):
    """The end of the sentence `a second NAME ...`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", family.rpartition(".")[2]).lower()
    match row["replay"]:
        case "dup" if row["action"] == "send":
            return "sends it a second time"
        case "dup":
            return f"makes a second {NOUNS.get(words, words)}"
        case "refused":
            return "is refused, if its key is the same"
        case "refused?":
            return "is probably refused, if its key is the same"
        case "gone":
            return "finds nothing left to remove"
        case "same":
            return "sets the same values once more"
        case "act":
            return "acts once more, or is refused because of the new state"
        case other:
            return other


def overlay(methods):
    with open(HERE / "overlay.tsv", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    columns = lines[0]
    for line in lines[1:]:
        judged = {column: cell for column, cell in zip(columns, line) if cell}
        for pattern in judged.pop("method").split():
            names = [name for name in methods if fnmatchcase(name, pattern)]
            if not names:
                sys.exit(f"no method matches {pattern}")
            for name in names:
                apply(methods[name], name, pattern, judged)


def apply(row, name, pattern, judged):
    for column, cell in judged.items():
        if column == "outdated" and not row["outdated"]:
            if "*" in pattern:
                continue
            sys.exit(f"the facts do not call {name} outdated")
        if row["kind"] == "read" and column not in ("outdated", "reason"):
            continue
        if column == "outdated" and "*" in cell:
            star = re.escape(pattern).replace(r"\*", "(.*)")
            cell = cell.replace("*", re.fullmatch(star, name).groups()[-1])
        row[column] = "" if cell == "-" else cell


def finish(name, row, methods):
    family, _, last = name.rpartition(".")
    if row["kind"] == "write":
        row["hint"] = row["hint"] or hint(row)
    for column in ("read_with", "outdated", "hint"):
        row[column] = row[column].replace("{family}", family).replace("{last}", last)
    row["read_with"] = spelt(row["read_with"], methods)
    row["hint"] = row["hint"].replace("{read}", f"`{row['read_with']}`")
    if row["outdated"] not in ("", "yes"):
        by, _, note = row["outdated"].partition(" ")
        if by not in methods:
            sys.exit(f"{name} can't be replaced by {by}, which is not in the table")
        if methods[by]["kind"] != row["kind"]:
            sys.exit(f"{name} and {by} differ in kind")
        row["outdated"] = f"{by} {note.strip('()')}".strip()
    if row["read_with"] and methods.get(row["read_with"], {}).get("kind") != "read":
        sys.exit(f"{name} is to be read back with {row['read_with']}, which is no read of the table")
    if row["kind"] == "write" and not (row["strength"] and row["hint"] and row["again"]):
        sys.exit(f"{name} lacks something: {row}")
    if "``" in row["hint"]:
        sys.exit(f"{name}: the hint names a read, and there is none")


def spelt(name, methods):
    """A family's `.getList` may be spelt `.getlist`."""
    return next((other for other in methods if other.lower() == name.lower()), name)


def write(text):
    path = HERE / "src" / "catalogue.tsv"
    if "--check" in sys.argv[2:]:
        sys.exit(0 if path.read_text(encoding="utf-8") == text else "src/catalogue.tsv is not up to date")
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
