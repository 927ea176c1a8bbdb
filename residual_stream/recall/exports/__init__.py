"""The questions in the forms that learning platforms and flash cards import."""
