"""The black-box tests of a system: how checks are declared, collected and run."""
