from __future__ import annotations

from ._calls import OPERATIONS, WRITES, Calls


class Client(Calls):
    """Calls the API with one credential. It is safe to use from several threads.

    Each operation is a method, such as workflow_get for workflow.get, whose arguments are the fields of its request. One
    that answers in pages has a second method, such as workflow_list_all, which goes through all of them.
    """

    def _writes(self, operation: str) -> bool:
        # One that this package does not know may write.
        return operation in WRITES or operation not in OPERATIONS
