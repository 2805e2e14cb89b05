"""The study of two open questions: which number selects models, and which curve gives thresholds.

PLAN.md states what is asked and how it is answered; it was committed before the full run.

    cd benchmarks && python -m study            # everything that is not there yet, then the tables
    cd benchmarks && python -m study --splits 3 --parts scores,selection
"""
