"""The roles of the people who work in the admin, as groups."""

from django.db import migrations

# What everybody may look at, by app.
LOOKED_AT = {
    "seasons": ["season", "series", "transition"],
    "scores": ["ledger", "best", "correctionrequest"],
    "leaderboard": [
        "version", "stop", "verification", "candidate", "results", "settlement", "rebuild", "job",
        "retirement",
    ],
    "admin": ["logentry"],
}
LOOK = [
    (app, model, f"view_{model}", f"Can view {model}")
    for app, models in LOOKED_AT.items()
    for model in models
]
REQUEST = [("scores", "correctionrequest", "add_correctionrequest", "Can add correction request")]
DECIDE = [
    (
        "scores",
        "correctionrequest",
        "decide_correctionrequest",
        "Can approve and reject correction requests",
    ),
    ("scores", "correctionrequest", "decide_held", "Can let held results in and refuse them"),
]
OPERATE = [
    ("seasons", "season", "add_season", "Can add season"),
    ("seasons", "series", "add_series", "Can add series"),
    ("seasons", "season", "run_season", "Can open, close, finish, publish and verify seasons"),
    ("scores", "servicetoken", "view_servicetoken", "Can view service token"),
    ("scores", "servicetoken", "add_servicetoken", "Can add service token"),
    ("scores", "servicetoken", "change_servicetoken", "Can change service token"),
]
ROLES = {
    "viewer": LOOK,
    "moderator": LOOK + REQUEST,
    "approver": LOOK + DECIDE,
    "operator": LOOK + OPERATE,
}


def make_roles(apps, schema_editor):
    """
    Make the groups with their permissions.

    Django makes permissions after the last migration, which leaves alone those that are there.
    """
    for role, permissions in ROLES.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=role)
        group.permissions.add(*[permission(apps, *wanted) for wanted in permissions])


def permission(apps, app, model, codename, name):
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label=app, model=model
    )
    found, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name}
    )
    return found


def forget_roles(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0003_proof_and_results"),
        ("scores", "0003_correction_requests"),
        ("seasons", "0003_transitions"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]
    operations = [migrations.RunPython(make_roles, forget_roles)]
