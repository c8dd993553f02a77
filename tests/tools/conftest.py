"""The workloads and peers of `tools.bench`, which no other test sees."""

from unittest.mock import patch

import pytest

from ocean.bench.command import WORKLOADS
from ocean.bench.peers import PEERS
from tools import bench


@pytest.fixture(autouse=True)
def added():
    with patch.dict(WORKLOADS), patch.dict(PEERS):
        bench.add()
        yield
