"""The lab of one machine: `python -m loadstone.cluster.lab`. Commands come in as lines, and what
happens goes out as lines; what measures is the lab of one machine, as ever.

It is started by a program that is not fit to start what is measured: so it leaves the family and the
session of that, takes back all CPUs, and refuses a priority that it cannot give back. It ends with its
standard input, and takes down what it has started; where nobody takes its lines any more, it ends
behind the run at hand, since a network that is cut says nothing.
"""

import os
import signal
import sys


def main() -> None:
    """Be the lab, in a process that nobody is the parent of."""
    if os.fork():
        os._exit(0)
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    # Imported behind the fork: the libraries start threads, which a fork loses.
    from loadstone.cluster.lab_loop import obey

    sys.exit(obey())


if __name__ == "__main__":
    main()
