"""Runs one session of one round with the real program and keeps what it shows of each attempt."""

import json
import os
import shutil
import subprocess
import time

SPECS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "specs")
# Whatever else is asked waits for a user, so a run ends there and spends nothing more.
ANSWERS = '[[answer]]\nkind = "inventory"\noption = "begin"\nrepeat = true\n'
NAME = "measured"


class Failed(Exception):
    """What ends the whole measurement: the program or the agent can't be used as named."""


def spec_names():
    return sorted(name for name in os.listdir(SPECS) if os.path.isfile(os.path.join(SPECS, name, "spec.md")))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def expected(spec):
    return json.loads(read(os.path.join(SPECS, spec, "expect.json")))


def configuration(options):
    """The gapless.toml of a run: the user's own, and the address of the agent's provider."""
    text = read(options.config) if options.config else ""
    if options.base_url:
        provider = options.agent.split(":", 1)[0]
        text += f"\n[providers.{provider}]\nbase_url = {json.dumps(options.base_url)}\n"
    return text


class Session:
    """A folder with a spec, its recorded documents and a session of the program."""

    def __init__(self, options, version, role, spec, folder):
        self.options, self.version, self.role, self.spec = options, version, role, spec
        self.folder = os.path.abspath(folder)
        self.workspace = os.path.join(self.folder, "workspace")
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.folder, "state"))
        # The program refuses to change anything where an agent of another session started it.
        self.environment.pop("GAPLESS_RUN", None)

    def prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        source = os.path.join(SPECS, self.spec)
        write(os.path.join(self.workspace, "spec.md"), read(os.path.join(source, "spec.md")))
        for role in ("engineer", "reviewer"):
            recorded = os.path.join(self.workspace, "recorded", "round_001", f"{role}.md")
            write(recorded, read(os.path.join(source, f"{role}.md")))
        write(os.path.join(self.workspace, "answers.toml"), ANSWERS)
        text = configuration(self.options)
        if text:
            write(os.path.join(self.workspace, "gapless.toml"), text)
            os.chmod(os.path.join(self.workspace, "gapless.toml"), 0o644)
        if self.version.prompts:
            shutil.copytree(self.version.prompts, os.path.join(self.workspace, ".gapless", "prompts"))
        if text or self.version.prompts:
            # What the user of this harness named is what the folder wants.
            self.call("trust", "spec.md", "--yes")

    def call(self, *arguments, check=True):
        command = [self.version.program, *arguments]
        said = subprocess.run(command, cwd=self.workspace, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if check and said.returncode != 0:
            raise Failed(f"{' '.join(command)} (in {self.workspace}) exited with {said.returncode}:\n{said.stderr.strip() or said.stdout.strip()}")
        return said

    def run(self):
        options, expect = self.options, expected(self.spec)
        agents = {"engineer": "replay:recorded", "reviewer": "offline", self.role: options.agent}
        words = ["run", "spec.md", "--name", NAME, "--analyst", "none", "--editor", "none", "--scan-from", "never"]
        words += ["--engineer", agents["engineer"], "--reviewer", agents["reviewer"], "--answers", "answers.toml"]
        words += ["--gaps-per-round", str(expect["gaps_per_round"]), "--parallel-engineers", "1", "--max-rounds", "1"]
        for setting in options.set:
            words += ["--set", setting]
        begin = time.monotonic()
        said = self.call(*words, check=False)
        seconds = time.monotonic() - begin
        write(os.path.join(self.folder, "said.txt"), said.stdout + said.stderr)
        if said.returncode == 2 or said.returncode < 0:
            raise Failed(f"gapless exited with {said.returncode}:\n{said.stderr.strip() or said.stdout.strip()}")
        return {"seconds": round(seconds, 1), "exit": said.returncode, "gaps": self.gaps(), "attempts": self.attempts()}

    def gaps(self):
        """Of each gap, the round in which something bound for it."""
        key = "proposed_in" if self.role == "engineer" else "reviewed_in"
        items = json.loads(self.call("gaps", NAME, "--json").stdout)["items"]
        return {gap["id"]: {"bound": gap[key] == 1, "state": gap["state"]} for gap in items}

    def attempts(self):
        listed = json.loads(self.call("show", "1", "--session", NAME, "--json").stdout)["attempts"]
        kept = []
        for attempt in (attempt for attempt in listed if attempt["role"] == self.role):
            whole = json.loads(self.call("show", "1", "--session", NAME, "--attempt", attempt["name"], "--json").stdout)
            for part, ending in (("prompt", "prompt.md"), ("output", "md")):
                text = whole.pop(part, None)
                if text is not None:
                    write(os.path.join(self.folder, f"{attempt['name']}.{ending}"), text)
            kept.append(whole)
        return kept


def perform(options, version, role, spec, number):
    """One run; its facts are in run.json beside its documents."""
    folder = os.path.join(options.output, version.label, role, spec, f"run_{number:02}")
    session = Session(options, version, role, spec, folder)
    session.prepare()
    facts = session.run()
    head = {"version": version.label, "program": version.told, "agent": options.agent, "role": role, "spec": spec, "run": number}
    result = {**head, **facts}
    check(result)
    write(os.path.join(folder, "run.json"), json.dumps(result, indent=1))
    return folder


def check(result):
    attempts = result["attempts"]
    ran = [attempt for attempt in attempts if attempt["verdict"] != "EXECUTION_ERROR"]
    if not ran:
        why = attempts[-1]["message"] if attempts else "no attempt was made; said.txt in the run's folder says why"
        raise Failed(f"{result['agent']} could not run as {result['role']}: {why}")
    meant = {gap for gap, what in expected(result["spec"])["gaps"].items() if what["assigned"]}
    given = set(ran[0]["gaps"])
    if meant != given:
        raise Failed(f"{result['spec']}: gapless assigned {sorted(given)}, expect.json says {sorted(meant)}")
