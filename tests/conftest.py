"""Where every tool is required (MUNSHI_TOOLS=required), a test that was skipped fails the run."""

import os

import pytest
from hypothesis import settings

# how long an example takes says how busy the machine is, not whether the program is right
settings.register_profile("munshi", deadline=None)
settings.load_profile("munshi")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("MUNSHI_TOOLS") == "required":
        for report in skipped:
            terminalreporter.write_line(f"skipped where nothing may be: {report.nodeid} {report.longrepr}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("MUNSHI_TOOLS") == "required":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
