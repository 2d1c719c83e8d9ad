"""The routes of the desk."""

from api.desk.settle_page import show_settling

ROUTES = (show_settling,)
