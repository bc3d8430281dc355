"""The compiled part of looking across: what a screen asks of every frontage in the town, with the answers that numpy gives for one list.

The sums are those of :mod:`geonotice.select.extended_lines` and :mod:`geonotice.select.streets`, in the same order, so that the answers are equal to
the last bit. Arrays are filled number by number: for an array put into another, numba compiles how it would complain of their shapes, which takes
seconds.
"""

import math

import numba
import numpy as np

from geonotice.select.extended_lines import BACK_FT, LEAN, LEAST_SINE, NOTHING, PREMISES, SIDEWAYS_FT

__all__ = ["changes", "edges_of", "faced", "first_met", "look"]

_ENTERING, _EITHER_WAY = True, False


@numba.njit(cache=True, error_model="numpy")
def _ray(at, line, perpendicular, depth):
    """Return where a line across starts, its direction, how far it looks, and its sine, as :class:`geonotice.select.extended_lines.Sweep` has them."""
    xy, step, length, begins, square, first, last = line
    k = 0
    if len(length) > 1:
        k = min(max(np.searchsorted(begins, at, side="right") - 1, 0), len(length) - 1)
    share = (at - begins[k]) / length[k]
    x, y = xy[k, 0] + share * step[k, 0], xy[k, 1] + share * step[k, 1]
    angle, sine = square[k], 1.0
    if not perpendicular:
        angle = first + (last - first) * at / begins[-1]
        if abs(angle - square[k]) > LEAN:
            angle = square[k]
        sine = math.cos(angle - square[k])
    return x, y, math.cos(angle), math.sin(angle), min(depth / max(sine, LEAST_SINE), depth + SIDEWAYS_FT), sine


@numba.njit(inline="always", cache=True)
def _put(row, values):
    """Write the six numbers of :func:`_ray` into a row."""
    row[0], row[1], row[2], row[3], row[4], row[5] = values


@numba.njit(cache=True, error_model="numpy")
def _rays(at, line, perpendicular, depth):
    """Return the lines across from some places, as rows of what :func:`_ray` returns of one."""
    rays = np.empty((len(at), 6))
    for i in range(len(at)):
        _put(rays[i], _ray(at[i], line, perpendicular, depth))
    return rays


@numba.njit(cache=True, error_model="numpy")
def _near(rays, edge_start, edge_step, owner):
    """Keep the edges that reach into the box of some rays: most edges lie outside, and are passed over once for all."""
    west, south, east, north = np.inf, np.inf, -np.inf, -np.inf
    for i in range(len(rays)):
        for along in (-BACK_FT, rays[i, 4]):
            x, y = rays[i, 0] + along * rays[i, 2], rays[i, 1] + along * rays[i, 3]
            west, south, east, north = min(west, x), min(south, y), max(east, x), max(north, y)
    near, many = np.empty(len(edge_start), np.intp), 0
    for k in range(len(edge_start)):
        ax, ay = edge_start[k, 0], edge_start[k, 1]
        bx, by = ax + edge_step[k, 0], ay + edge_step[k, 1]
        if max(ax, bx) >= west and min(ax, bx) <= east and max(ay, by) >= south and min(ay, by) <= north:
            near[many] = k
            many += 1
    starts, steps, whose = np.empty((many, 2)), np.empty((many, 2)), np.empty(many, np.intp)
    for n in range(many):
        whose[n] = owner[near[n]]
        for axis in range(2):
            starts[n, axis], steps[n, axis] = edge_start[near[n], axis], edge_step[near[n], axis]
    return starts, steps, whose


@numba.njit(cache=True, error_model="numpy")
def _first_on(ray, edge_start, edge_step, owner, premises_from_ft, entering):
    """Return whose edge is the first on one ray's way, and how far along: the same sums in the same order as numpy's, so the same answer."""
    x, y, ux, uy, reach = ray[0], ray[1], ray[2], ray[3], ray[4]
    best, found = np.inf, NOTHING
    for k in range(len(edge_start)):
        ex, ey = edge_step[k, 0], edge_step[k, 1]
        slope = ux * ey - uy * ex
        if entering and slope >= 0:
            continue
        dx, dy = edge_start[k, 0] - x, edge_start[k, 1] - y
        share = (dx * uy - dy * ux) / slope
        if not (share >= 0.0 and share <= 1.0):
            continue
        along = (dx * ey - dy * ex) / slope
        first = 0.0
        if entering:
            first = premises_from_ft if owner[k] == PREMISES else -BACK_FT
        if along >= first and along <= reach and along < best:
            best = along
            found = owner[k]
    return found, best


@numba.njit(cache=True, error_model="numpy")
def first_met(start, direction, reach, edge_start, edge_step, owner, premises_from_ft, entering):
    """Find the first edge on each ray's way, as :mod:`geonotice.select.extended_lines` does.

    Returns
    -------
    tuple
        Owner of the edge and distance along the ray; ``NOTHING`` and infinity where there is none.
    """
    rays = np.empty((len(start), 5))
    for i in range(len(start)):
        rays[i, 0], rays[i, 1], rays[i, 2], rays[i, 3], rays[i, 4] = (
            start[i, 0],
            start[i, 1],
            direction[i, 0],
            direction[i, 1],
            reach[i],
        )
    edge_start, edge_step, owner = _near(rays, edge_start, edge_step, owner)
    found, distance = np.empty(len(start), np.intp), np.empty(len(start))
    for i in range(len(start)):
        found[i], distance[i] = _first_on(rays[i], edge_start, edge_step, owner, premises_from_ft, entering)
    return found, distance


@numba.njit(cache=True, error_model="numpy")
def look(places, line, perpendicular, depth, edge_start, edge_step, owner, premises_from_ft):
    """Look across from a frontage, as :meth:`geonotice.select.extended_lines.Sweep.look` does.

    Returns
    -------
    tuple
        Of the lines from the places what each enters first, how far along, and its sine; then start, step and owner of the edges in reach of
        them and of the two at the ends of the frontage.
    """
    many = len(places)
    at = np.empty(many + 2)
    at[0], at[many + 1] = 0.0, line[3][-1]
    for i in range(many):
        at[i + 1] = places[i]
    rays = _rays(at, line, perpendicular, depth)
    edge_start, edge_step, owner = _near(rays, edge_start, edge_step, owner)
    found, distance, sine = np.empty(many, np.intp), np.empty(many), np.empty(many)
    for i in range(many):
        sine[i] = rays[i + 1, 5]
        found[i], along = _first_on(rays[i + 1], edge_start, edge_step, owner, premises_from_ft, _ENTERING)
        distance[i] = max(along, 0.0)
    return found, distance, sine, edge_start, edge_step, owner


@numba.njit(cache=True, error_model="numpy")
def changes(at, met, alike, line, perpendicular, depth, edge_start, edge_step, owner, premises_from_ft, parts, refinings):
    """Return where along a frontage it changes what its lines meet, and what they meet before each change and behind the last.

    So does :func:`geonotice.select.extended_lines.measure`, which has the parameters; ``met`` is what stands for what the lines meet.
    """
    cuts, kept, many = np.empty(len(at) + 1), np.empty(len(at), np.intp), 0
    cuts[0] = 0.0
    ray = np.empty(6)
    for i in range(len(at) - 1):
        if met[i] == met[i + 1]:
            continue
        low, high = at[i], at[i + 1]
        for _ in range(refinings):
            count = parts - 1
            for part in range(1, parts):
                _put(ray, _ray(low + (high - low) * (part / parts), line, perpendicular, depth))
                if alike[_first_on(ray, edge_start, edge_step, owner, premises_from_ft, _ENTERING)[0]] != met[i]:
                    count = part - 1
                    break
            width = (high - low) / parts
            low = low + count * width
            high = low + width
        kept[many] = met[i]
        many += 1
        cuts[many] = (low + high) / 2
    kept[many] = met[len(at) - 1]
    cuts[many + 1] = line[3][-1]
    return cuts[: many + 2], kept[: many + 1]


@numba.njit(cache=True, error_model="numpy")
def faced(
    at,
    line,
    perpendicular,
    depth,
    edge_start,
    edge_step,
    owner,
    premises_from_ft,
    street_start,
    street_end,
    of_street,
    origin,
    widest,
):
    """Return from how many places the lines across cross each street before anything stops them, as :mod:`geonotice.select.streets` counts them.

    Parameters
    ----------
    at, line, perpendicular, depth
        The places, the frontage, whether its lines run at right angles to it, and how far they look.
    edge_start, edge_step, owner, premises_from_ft
        What may stop a line.
    street_start, street_end, of_street, origin
        The ends of the centerlines' edges, which street each is of, and what is taken off.
    widest
        Of each street, the widest right-of-way.
    """
    rays = _rays(at.copy(), line, perpendicular, depth)  # of one type with those of the others: what is compiled once serves all
    many = len(street_start)
    starts, steps = np.empty((many, 2)), np.empty((many, 2))
    for k in range(many):
        for axis in range(2):
            starts[k, axis] = street_start[k, axis] - origin[axis]
            steps[k, axis] = street_end[k, axis] - origin[axis] - starts[k, axis]
    starts, steps, whose = _near(rays, starts, steps, of_street)
    counts = np.zeros(len(widest), np.intp)
    if not len(whose):
        return counts
    edge_start, edge_step, owner = _near(rays, edge_start, edge_step, owner)
    for i in range(len(at)):
        street, crossed = _first_on(rays[i], starts, steps, whose, 0.0, _EITHER_WAY)
        # One that is not crossed, or too far off, needs no look at what stops the line.
        if street == NOTHING or crossed * rays[i, 5] > widest[street]:
            continue
        if crossed <= max(_first_on(rays[i], edge_start, edge_step, owner, premises_from_ft, _ENTERING)[1], 0.0):
            counts[street] += 1
    return counts


@numba.njit(cache=True)
def edges_of(first_edge, start, end, places, owners, origin):
    """Gather the edges of some lots relative to an origin, as :func:`geonotice.select.extended_lines.edges_between` does: the same sums.

    Parameters
    ----------
    first_edge, start, end
        Of each lot where its edges begin, and the edges' ends.
    places, owners
        The lots that are wanted, and whose edges theirs are to be.
    origin
        What is taken off.

    Returns
    -------
    tuple
        Where each edge starts, the step to its end, and whose it is.
    """
    many = 0
    for place in places:
        many += first_edge[place + 1] - first_edge[place]
    starts, steps, whose = np.empty((many, 2)), np.empty((many, 2)), np.empty(many, np.intp)
    at = 0
    for n in range(len(places)):
        for k in range(first_edge[places[n]], first_edge[places[n] + 1]):
            for axis in range(2):
                begin = start[k, axis] - origin[axis]
                starts[at, axis] = begin
                steps[at, axis] = end[k, axis] - origin[axis] - begin
            whose[at] = owners[n]
            at += 1
    return starts, steps, whose
