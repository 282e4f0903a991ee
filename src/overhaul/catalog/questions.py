"""The SQL of a catalogue: the views that queries see, and the questions that have names.

Nothing is imported here but the declarations of the tables: the command line lists the questions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.catalog.tables import CONTENTS, SHOWN

_PLACE_COLUMNS: Final = "p.place, p.container, p.sha256, p.size, p.detected"
_CONTENT_COLUMNS: Final = ", ".join(
    f"c.{column.name}" for column in CONTENTS.columns if column.name not in ("sha256", "run")
)

#: The views that are more than a stored table, in the order in which they stand on each other.
VIEWS: Final = {
    "latest_places": """
        SELECT * FROM stored_places
        QUALIFY run = max(run) OVER (PARTITION BY container)
    """,
    "latest_contents": """
        SELECT * FROM stored_contents
        QUALIFY row_number() OVER (PARTITION BY sha256 ORDER BY run DESC) = 1
    """,
    "errors": """
        SELECT e.* FROM stored_errors e
        LEFT JOIN (SELECT container, max(run) AS run FROM stored_places GROUP BY container) p
            ON p.container = e.container
        LEFT JOIN latest_contents c ON c.sha256 = e.sha256
        WHERE CASE WHEN e.sha256 IS NULL THEN p.run IS NULL OR e.run >= p.run
            ELSE e.run = c.run END
        QUALIFY e.stage <> 'find' OR e.run = max(e.run) OVER (PARTITION BY e.container)
    """,
    "files": f"""
        SELECT {_PLACE_COLUMNS},
            CASE WHEN c.kind IS NULL THEN 'failed'
                WHEN e.sha256 IS NOT NULL THEN 'partly' ELSE 'read' END AS status,
            {_CONTENT_COLUMNS}
        FROM latest_places p
        LEFT JOIN latest_contents c ON c.sha256 = p.sha256
        LEFT JOIN (SELECT DISTINCT sha256 FROM errors) e ON e.sha256 = p.sha256
        WHERE p.detected IS NOT NULL AND NOT p.gone
    """,
}


class Question(NamedTuple):
    """A question with a name: what it answers, its SQL, and the names of what it takes."""

    about: str
    sql: str
    takes: tuple[str, ...] = ()


#: The code entries that are worth comparing have at least so many tokens.
LEAST_TOKENS: Final = 20

QUESTIONS: Final[dict[str, Question]] = {
    "versions": Question(
        "How many files there are of each kind and version.",
        """
        SELECT kind, version, count(*) AS files, min(built) AS first_built, max(built) AS last_built
        FROM files WHERE kind IS NOT NULL
        GROUP BY kind, version ORDER BY kind, version
        """,
    ),
    "duplicates": Question(
        "The places of files with the same bytes.",
        """
        SELECT sha256, count(*) AS count, max(size) AS size, any_value(name) AS name,
            list(place ORDER BY place) AS places
        FROM files GROUP BY sha256 HAVING count(*) > 1
        ORDER BY max(size) * (count(*) - 1) DESC, sha256
        """,
    ),
    "who-uses": Question(
        "The code that calls a function or names a resource.",
        """
        SELECT f.place, c.caller, c.kind, c.count
        FROM calls c JOIN files f ON f.sha256 = c.file
        WHERE c.callee = $name ORDER BY f.place, c.caller
        """,
        ("name",),
    ),
    "libraries": Question(
        "The code that several games share, whatever its variables and resources are called.",
        f"""
        SELECT mode(e.name) AS name,
            count(DISTINCT coalesce(c.name || '/' || c.file_name, c.name, c.sha256)) AS games,
            count(DISTINCT e.file) AS files, max(e.tokens) AS tokens,
            max(e.instructions) AS instructions, e.normal_hash
        FROM code e JOIN latest_contents c ON c.sha256 = e.file
        WHERE e.tokens >= {LEAST_TOKENS}
        GROUP BY e.normal_hash HAVING games > 1 ORDER BY games DESC, tokens DESC, e.normal_hash
        """,
    ),
    "timeline": Question(
        "The files in the order in which they were built.",
        """
        SELECT built, kind, version, name, place FROM files
        WHERE built IS NOT NULL ORDER BY built, place
        """,
    ),
    "broken": Question(
        "The files that could not be read, or do not rebuild.",
        """
        SELECT place, stage, error, message FROM errors
        UNION ALL
        SELECT place, 'verify', 'different', 'differs from byte ' || first_difference
        FROM files WHERE NOT identical
        ORDER BY place, stage
        """,
    ),
    "stats": Question(
        "How many rows each table has.",
        " UNION ALL ".join(
            f"SELECT '{name}' AS table_name, count(*) AS rows FROM {name}" for name in SHOWN
        ),
    ),
}

#: Files that share less than this weight are not listed: it is about that of two rare things.  In a
#: small catalogue nothing weighs so much; there it is that of two things that two files have.
LEAST_EVIDENCE: Final = 6.0

#: The files that are like the one in ``asked_code`` and ``asked_images``.  What few files have
#: weighs more than what many have: the logarithm of the share of files without it.
SIMILAR: Final = f"""
    WITH asked AS (
        SELECT DISTINCT 'code' AS what, normal_hash AS hash FROM asked_code
        WHERE tokens >= {LEAST_TOKENS}
        UNION SELECT DISTINCT 'picture', coalesce(nullif(perceptual, 0)::VARCHAR, hash)
        FROM asked_images
    ), had AS (
        SELECT DISTINCT file, 'code' AS what, normal_hash AS hash FROM code
        WHERE tokens >= {LEAST_TOKENS}
        UNION SELECT DISTINCT file, 'picture', coalesce(nullif(perceptual, 0)::VARCHAR, hash)
        FROM images
    ), weights AS (
        SELECT what, hash, ln(((SELECT count(DISTINCT file) FROM had) + 1) / count(*)) AS weight
        FROM had GROUP BY what, hash
    ), own AS (
        SELECT sum(coalesce(weight, ln((SELECT count(DISTINCT file) FROM had) + 1))) AS weight
        FROM asked LEFT JOIN weights USING (what, hash)
    ), sizes AS (
        SELECT file, sum(weight) AS weight FROM had JOIN weights USING (what, hash) GROUP BY file
    ), shared AS (
        SELECT file, sum(weight) AS weight,
            count(*) FILTER (what = 'code') AS shared_code,
            count(*) FILTER (what = 'picture') AS shared_pictures
        FROM had JOIN asked USING (what, hash) JOIN weights USING (what, hash) GROUP BY file
    )
    SELECT round(s.weight / (z.weight + o.weight - s.weight), 4) AS score,
        f.place, f.kind, f.version, f.name, s.shared_code, s.shared_pictures
    FROM shared s JOIN sizes z USING (file) CROSS JOIN own o JOIN files f ON f.sha256 = s.file
    WHERE s.weight >= least({LEAST_EVIDENCE}, o.weight,
        2 * ln(((SELECT count(DISTINCT file) FROM had) + 1) / 2))
    ORDER BY score DESC, f.place
"""
