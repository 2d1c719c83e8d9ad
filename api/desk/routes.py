"""The routes of the desk."""

from api.desk.replay_page import show_replay
from api.desk.rules_page import show_house_rules, show_sheet
from api.desk.score_page import show_score
from api.desk.settle_page import show_settling

ROUTES = (show_settling, show_house_rules, show_sheet, show_score, show_replay)
