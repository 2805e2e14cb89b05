"""A standalone Spark cluster on the loopback: a master, two workers and a session on them.

Each part is a process of its own, as on a real cluster, so that one of them can be killed. All of
them bind port 0, and their logs say which port that became: two clusters never want the same one.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pyspark
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

HOME = Path(pyspark.__file__).parent
HOST = "127.0.0.1"
WORKERS = 2
PATIENCE = 120.0  # seconds: the rest of the suite may have both cores
# Nothing outlives the tests, not even if they are killed: the kernel sees to it.
LEASH = ("setpriv", "--pdeathsig", "KILL")
# Six JVMs live for a minute on two cores: do not spend it on the second compiler.
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
LOGGING = """\
rootLogger.level = info
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
"""


def wait_for(what: str, look: Callable[[], Any]) -> Any:
    """Look again and again until there is something, and return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"{what}: nothing after {PATIENCE:g} seconds.")


def children(parent: int) -> Iterator[tuple[int, list[str]]]:
    """Give process id and command line of each child of a process."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "status").read_text()
            words = (entry / "cmdline").read_text().split("\0")
        except OSError:  # it has ended in between
            continue
        if re.search(rf"^PPid:\s*{parent}$", status, re.MULTILINE):
            yield int(entry.name), words


class Daemon:
    """A master or a worker: one JVM in a process group of its own, with a log."""

    def __init__(self, main: str, arguments: list[str], folder: Path) -> None:
        folder.mkdir()
        self.log = folder / "log"
        with self.log.open("wb") as log:
            # Both commands end in `exec`, so this is the id of the JVM.
            self.process = subprocess.Popen(
                [*LEASH, HOME / "bin" / "spark-class", main, "--host", HOST, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
                start_new_session=True,
            )

    def said(self, pattern: str) -> str:
        """Wait for a line in the log and return the part in brackets."""

        def look() -> str | None:
            text = self.log.read_text(errors="replace")
            if self.process.poll() is not None:
                raise RuntimeError(f"A part of the cluster has ended:\n{text[-4000:]}")
            found = re.search(pattern, text)
            return found and found[1]

        return wait_for(f"The log {self.log.name} with {pattern!r}", look)

    def executors(self) -> dict[str, int]:
        """Return the process ids of the executors that this worker has started."""
        flag = "--executor-id"
        return {
            words[words.index(flag) + 1]: pid
            for pid, words in children(self.process.pid)
            if flag in words
        }

    def kill(self) -> None:
        """Kill the process and its executors at once, so that none can say goodbye."""
        if self.process.poll() is None:
            executors = self.executors().values()
            self.process.kill()  # first, or it would start its executors anew
            for pid in executors:
                _kill(pid)
        self.process.wait()


class Cluster:
    """A master with two workers of one core each, and a session that logs its events."""

    def __init__(
        self, folder: Path, *, executor_memory: str = "512m", executor_options: str = QUICK_START
    ) -> None:
        self.folder = folder
        self.executor_memory, self.executor_options = executor_memory, executor_options
        self.workers: list[Daemon] = []
        self._marks = 0
        self._stack = ExitStack()

    def __enter__(self) -> Cluster:
        with ExitStack() as stack:  # what has started is ended if the rest does not start
            stack.enter_context(mock.patch.dict(os.environ, self._environment(), clear=True))
            self._start_master(stack)
            stack.callback(self._kill_workers)
            self._start_workers()
            self.spark = self._session(stack)
            self.fill()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    # -- starting ----------------------------------------------------------------------------------

    def _environment(self) -> dict[str, str]:
        """Return the environment, without what it may say of another Spark on this machine."""
        foreign = ("SPARK_", "PYSPARK_", "HADOOP_", "YARN_")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
        settings = self.folder / "conf"
        settings.mkdir()
        (settings / "log4j2.properties").write_text(LOGGING)
        return kept | {
            "SPARK_HOME": str(HOME),
            "SPARK_CONF_DIR": str(settings),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",  # it has a fixed port
            "PYSPARK_PYTHON": sys.executable,
        }

    def _start_master(self, stack: ExitStack) -> None:
        ports = ["--port", "0", "--webui-port", "0"]
        main = "org.apache.spark.deploy.master.Master"
        self.master = Daemon(main, ports, self.folder / "master")
        stack.callback(self.master.kill)
        self.url = self.master.said(r"Starting Spark master at (spark://\S+)")
        self._page = int(self.master.said(r"MasterWebUI.*:(\d+)\s"))

    def _start_workers(self) -> None:
        """Start workers until there are two; they come up while the driver does."""
        alive = [worker for worker in self.workers if worker.process.poll() is None]
        for i in range(len(self.workers), len(self.workers) + WORKERS - len(alive)):
            folder = self.folder / f"worker{i}"
            size = ["--cores", "1", "--memory", "4g", "--port", "0", "--webui-port", "0"]
            main, work = "org.apache.spark.deploy.worker.Worker", str(folder / "work")
            self.workers.append(Daemon(main, [*size, "--work-dir", work, self.url], folder))

    def _registered(self) -> int:
        connection = http.client.HTTPConnection(HOST, self._page, timeout=PATIENCE)
        try:
            connection.request("GET", "/json/")
            workers = json.load(connection.getresponse())["workers"]
        finally:
            connection.close()
        return sum(worker["state"] == "ALIVE" for worker in workers)

    def _session(self, stack: ExitStack) -> SparkSession:
        log = stack.enter_context((self.folder / "driver.log").open("wb"))
        conf = pyspark.SparkConf().setAll(self._settings().items())
        # Launched here, not by the session, because a session leaves its JVM behind.
        gateway = launch_gateway(conf, {"stdout": log, "stderr": log, "start_new_session": True})
        stack.callback(_end_gateway, gateway)
        context = pyspark.SparkContext(conf=conf, gateway=gateway)
        session = SparkSession(context)
        stack.callback(session.stop)
        return session

    def _settings(self) -> dict[str, str]:
        (self.folder / "events").mkdir()
        return {
            "spark.master": self.url,
            "spark.app.name": "rocwalk",
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": QUICK_START,
            "spark.executor.memory": self.executor_memory,
            "spark.executor.extraJavaOptions": self.executor_options,
            "spark.ui.enabled": "false",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.sql.shuffle.partitions": "4",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": (self.folder / "events").as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
        }

    def _kill_workers(self) -> None:
        for worker in self.workers:
            worker.kill()

    # -- use ---------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Have two workers with an executor each, whatever was killed before."""
        self._start_workers()
        wait_for("Two workers at the master", lambda: self._registered() == WORKERS)
        wait_for("Two executors", lambda: len(self.executors()) == WORKERS)

    def events(self) -> list[dict[str, Any]]:
        """Return all events up to now.

        Spark writes them behind the scenes, and flushes the log when a query starts but not when a
        task does. So run a query that needs no task, and wait until it is in the log itself.
        """
        self._marks += 1
        mark = f"mark_{self._marks}"
        self.spark.sql(f"SELECT * FROM VALUES 1 AS {mark}({mark})").collect()
        (log,) = (self.folder / "events").iterdir()

        def look() -> str | None:
            text = log.read_text()
            return text if f"[{mark}#" in text else None

        whole, _, _ = wait_for(f"{mark} in the event log", look).rpartition("\n")
        return [json.loads(line) for line in whole.splitlines()]

    def executors(self) -> set[str]:
        """Return the ids of the executors that the session has now."""
        alive: set[str] = set()
        for event in self.events():
            if event["Event"] == "SparkListenerExecutorAdded":
                alive.add(event["Executor ID"])
            elif event["Event"] == "SparkListenerExecutorRemoved":
                alive.discard(event["Executor ID"])
        return alive

    def running_task(self) -> dict[str, Any] | None:
        """Return the start of a task that has not ended, if there is one."""
        running = {}
        for event in self.events():
            if event["Event"] == "SparkListenerTaskStart":
                running[event["Task Info"]["Task ID"]] = event
            elif event["Event"] == "SparkListenerTaskEnd":
                running.pop(event["Task Info"]["Task ID"], None)  # some end twice: Resubmitted
        return next(iter(running.values()), None)

    def kill_worker_of(self, executor: str) -> None:
        """Kill the worker that runs an executor, and the executor with it."""
        (worker,) = (one for one in self.workers if executor in one.executors())
        worker.kill()


def _end_gateway(gateway: Any) -> None:
    gateway.shutdown()
    gateway.proc.stdin.close()  # the driver's JVM ends when nobody is at the other end
    try:
        gateway.proc.wait(PATIENCE)
    finally:
        gateway.proc.kill()
        gateway.proc.wait()
        pyspark.SparkContext._gateway = pyspark.SparkContext._jvm = None


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):  # it may go by itself when its worker does
        os.kill(pid, signal.SIGKILL)
