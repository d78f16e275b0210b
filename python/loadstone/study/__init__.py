"""Study, workload, system, stack and runtime files: YAML in, validated and frozen values out."""
