"""Whether large libraries may be loaded, and what draws charts can be."""


def has_room() -> bool:
    """Whether memory is not limited: where it is, OpenBLAS may end the whole process while numpy is imported.

    So may the engine that draws charts, which cannot be caught either.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return True
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return all(resource.getrlimit(kind)[0] == resource.RLIM_INFINITY for kind in kinds)


def can_draw() -> bool:
    """Whether there are charts: text beside each says the same, so no page is lost for want of what draws them."""
    if not has_room():
        return False
    try:
        import vl_convert  # noqa: F401, PLC0415 - heavy, loaded when needed
    except ImportError:
        return False
    return True
