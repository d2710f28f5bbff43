"""`schema_version`, which cases and manifests both have."""

from skill_evaluator.formats.evalcase import keys
from skill_evaluator.formats.evalcase.form import Form
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.texts import tr


def check_version(form: Form) -> bool:
    """Note a version that is not 1; False for a later one, where the other fields may mean anything."""
    version = form.raw.get("schema_version", keys.SCHEMA_VERSION)
    if type(version) is not int:
        form.wrong(version, ("schema_version",))
    elif version != keys.SCHEMA_VERSION:
        form.fault("other-version", ("schema_version",), _other_version(version), {"found": shown(version)})
    return type(version) is not int or version == keys.SCHEMA_VERSION


def _other_version(version: int) -> str:
    """Say what to do about a version that this program does not read."""
    if version < 1:
        return tr('"schema_version" is {version}, and there never was one below 1; write 1', version=shown(version))
    return tr(
        '"schema_version" is {version}, and this program reads 1; take a later '
        "skill-evaluator, which reads both, or write the case again with the fields of version "
        "1",
        version=shown(version),
    )
