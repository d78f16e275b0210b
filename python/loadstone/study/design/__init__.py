"""From the file of a study to its plan: arms, questions, profiles, order."""
