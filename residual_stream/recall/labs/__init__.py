"""The tasks of the hands-on labs, by id. A lab's notebooks are ``solutions/lab-*.ipynb`` and what is cut from them."""

from . import deepnorm, pre_post, variance_trace

LABS = {"variance-trace": variance_trace.TASKS, "pre-post": pre_post.TASKS, "deepnorm": deepnorm.TASKS}
"""chapter -> its lab's tasks, in order."""

TASKS = {task.id: task for tasks in LABS.values() for task in tasks}
