"""A class: notebooks with numbers of one's own go out, what comes back is read and graded without being run."""
