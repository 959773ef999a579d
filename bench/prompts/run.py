#!/usr/bin/env python3
"""Measures what the prompts of gapless make of an agent, by version of the prompts. docs/prompts.md explains the figures.

    bench/prompts/run.py --agent AGENT [--gapless LABEL=PROGRAM]… [--role ROLE]… [--spec NAME]… [--runs N]
    bench/prompts/run.py --report FOLDER…
    bench/prompts/run.py --self-test [--gapless PROGRAM]
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

import sessions
import tables

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


class Version:
    """A program, or a program with prompts that override its own."""

    def __init__(self, label, program, prompts=None):
        self.label, self.program, self.prompts = label, program, prompts
        told = subprocess.run([program, "--version"], capture_output=True, text=True)
        if told.returncode != 0:
            raise sessions.Failed(f"{program} --version exited with {told.returncode}")
        self.told = told.stdout.strip() + (f" with {prompts}" if prompts else "")


def named(text, default):
    label, separator, rest = text.partition("=")
    return (label, rest) if separator else (default(text), text)


def versions(options):
    """The versions to compare: each program with its own prompts, and the first one with each folder of prompts."""
    programs = []
    for text in options.gapless or [built()]:
        label, path = named(text, os.path.basename)
        found = shutil.which(path) or (os.path.abspath(path) if os.path.exists(path) else None)
        if not found:
            raise sessions.Failed(f"there is no program {path}; build it with `cargo build -p gapless`")
        programs.append(Version(label, os.path.abspath(found)))
    for text in options.prompts:
        label, path = named(text, lambda path: os.path.basename(os.path.abspath(path)))
        if not os.path.isdir(path):
            raise sessions.Failed(f"there is no folder of prompts {path}")
        programs.append(Version(label, programs[0].program, os.path.abspath(path)))
    labels = [version.label for version in programs]
    if len(set(labels)) < len(labels):
        raise sessions.Failed(f"two versions are called alike ({', '.join(labels)}): name them, as in --gapless old=…")
    return programs


def built():
    places = [os.path.join(ROOT, "target", profile, "gapless") for profile in ("dist", "release", "debug")]
    found = [place for place in places if os.path.exists(place)]
    return max(found, key=os.path.getmtime) if found else "gapless"


def arguments():
    parser = argparse.ArgumentParser(
        prog="bench/prompts/run.py", description="Measures what the prompts of gapless make of an agent. docs/prompts.md explains the figures."
    )
    add = parser.add_argument
    add("--agent", help="the agent under test, by its usual name: claude, openai:MODEL, cmd:…, offline")
    add("--gapless", action="append", default=[], metavar="[LABEL=]PROGRAM", help="a program whose prompts are measured; again for a second one")
    add("--prompts", action="append", default=[], metavar="[LABEL=]FOLDER", help="prompts that override the first program's own; measured beside it")
    add("--role", action="append", default=[], choices=["engineer", "reviewer"], help="the role under test (default: both)")
    add("--spec", action="append", default=[], metavar="NAME", help=f"one of {', '.join(sessions.spec_names())} (default: all)")
    add("--runs", type=int, default=1, metavar="N", help="runs of each version, role and spec (default: 1)")
    add("--minutes", type=float, metavar="N", help="begin no further run after N minutes")
    add("--base-url", metavar="URL", help="where the agent's provider is, for agents over HTTP")
    add("--config", metavar="FILE", help="a gapless.toml for every run: providers, agents of your own, temperatures")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="any key of gapless.toml")
    add("--output", metavar="FOLDER", help="where documents and figures are kept (default: target/bench-prompts)")
    add("--report", nargs="+", metavar="FOLDER", help="measure kept runs again instead, also of several folders")
    add("--by-spec", action="store_true", help="a column for each spec")
    add("--json", action="store_true", help="print one JSON document, with each run")
    add("--self-test", action="store_true", help="check the harness with agents that need no model")
    options = parser.parse_args()
    if not (options.report or options.self_test or options.agent):
        parser.error("say which agent is measured: --agent NAME")
    unknown = sorted(set(options.spec) - set(sessions.spec_names()))
    if unknown:
        parser.error(f"there is no spec {', '.join(unknown)}; there are {', '.join(sessions.spec_names())}")
    if options.base_url and ":" not in (options.agent or ""):
        parser.error("--base-url is for agents over HTTP, such as openai:MODEL")
    if options.runs < 1:
        parser.error("--runs is at least 1")
    for setting in options.set:
        if "=" not in setting:
            parser.error(f"--set {setting}: write KEY=VALUE")
    return options


def planned(options, sides):
    """In turns, so that a measurement that is ended early has as many runs of each."""
    for number in range(1, options.runs + 1):
        for spec in options.spec or sessions.spec_names():
            for role in options.role or ["engineer", "reviewer"]:
                for version in sides:
                    yield version, role, spec, number


def measure(options):
    options.output = os.path.abspath(options.output or os.path.join(ROOT, "target", "bench-prompts"))
    sides, begin = versions(options), time.monotonic()
    runs = list(planned(options, sides))
    for at, (version, role, spec, number) in enumerate(runs, 1):
        folder = os.path.join(options.output, version.label, role, spec, f"run_{number:02}")
        if os.path.exists(os.path.join(folder, "run.json")):
            print(f"{at}/{len(runs)} {folder}: kept from before", file=sys.stderr)
            continue
        if options.minutes is not None and time.monotonic() - begin > options.minutes * 60:
            print(f"{options.minutes:g} minutes are over: {len(runs) - at + 1} of {len(runs)} runs left out", file=sys.stderr)
            break
        try:
            sessions.perform(options, version, role, spec, number)
        except sessions.Failed as failed:
            raise sessions.Failed(f"{failed}\nruns before this one are kept in {options.output}; the same command goes on from there") from failed
        run = tables.load([folder])[0]
        said = f"valid at first try: {'yes' if run['valid_first'] else 'no'}, {len(run['echoes'])} echoes, {len(run['covered'])} of {len(run['assigned'])} gaps"
        print(f"{at}/{len(runs)} {version.label} {role} {spec} run {number}: {said}, {run['seconds']:.0f} s", file=sys.stderr, flush=True)
    return [options.output]


def main():
    options = arguments()
    try:
        if options.self_test:
            import self_test

            return self_test.check(versions(options)[0])
        folders = options.report or measure(options)
        runs = tables.load(folders)
        if not runs:
            raise sessions.Failed(f"no runs are kept in {', '.join(folders)}")
        if options.json:
            tables.print_json(runs)
        else:
            tables.print_tables(runs, options.by_spec)
    except sessions.Failed as failed:
        print(f"error: {failed}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
