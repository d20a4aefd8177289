"""Scenes: what is drawn of every game, and turns made by hand, which are the legal ones and no others."""

from __future__ import annotations

import random
from xml.etree.ElementTree import fromstring

import pytest

import spielwerk as sw
from spielwerk.games import registry
from spielwerk.games.face.svg import page_style
from spielwerk.games.position import Position
from spielwerk.games.scenes import DICE, PASS, Hop, plain
from spielwerk.games.scenes.backgammon_turn import place_of
from spielwerk.games.scenes.editing import brushes, composed, loose_scene, puts_of
from spielwerk.games.scenes.showing import hops_of, partial_turn, scene_of, stage_of

GAMES = [name for kind in registry.BUILT_IN for name in registry.variants(kind)[:4]]
KINDS = ["morris", "othello:size=6", "nim", "einstein", "einstein:board=6,players=4", "backgammon"]
DOUBLE = ".b....E.C...eE...c.e....B. X 33"


def positions(name: str, turns: int = 40) -> list[Position]:
    """Decisions of one random game."""
    here, rng, found = sw.game(name).start(), random.Random(name), []
    while not here.over and len(found) < turns:
        if here.chance:
            here = here.roll(rng.choice(here.rolls()))
        else:
            found.append(here)
            here = here.play(rng.choice(here.actions()))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_scene_names_every_place_and_puts_pieces_on_the_stage(name: str) -> None:
    stage = stage_of(sw.game(name))
    places = {place.id for place in stage.places}
    assert len(places) == len(stage.places)
    for position in positions(name, 15):
        scene = scene_of(position)
        assert set(scene.names) >= places - {DICE}
        assert {piece.look for piece in scene.pieces} <= set(stage.looks)
        assert all(0 <= piece.x <= stage.width and 0 <= piece.y <= stage.height for piece in scene.pieces)
        assert len(scene.seats) in (0, position.game.players)


def test_points_are_numbered_and_called_alike_from_each_side_and_never_otherwise() -> None:
    stage = stage_of(sw.game("backgammon"))
    for view, called in enumerate(stage.called):
        numbers = {(label.x, label.y > stage.height / 2): label.text for label in stage.labels if label.view == view}
        points = [place for place in stage.places if place.id in called]
        assert len(points) == len(numbers) == 24
        for place in points:
            assert called[place.id] == f"point {numbers[place.x, place.y > stage.height / 2]}"
        assert called[place_of(view, 0)] == "point 1"
    scenes = [scene_of(position) for position in positions("backgammon")]
    assert not {label.text for label in scenes[0].labels}  # what changes is only how many lie on a point
    assert all(scene.names["1"].split()[-1] in ("white", "black", "empty") for scene in scenes)


@pytest.mark.parametrize("name", KINDS)
def test_every_turn_can_be_made_by_hand_and_its_hops_lead_to_it(name: str) -> None:
    places = {place.id for place in stage_of(sw.game(name)).places} | {"", PASS}
    for position in positions(name, 12):
        for turn in position.turns():
            shown = hops_of(turn)
            assert {place for hop in shown for place in hop} <= places
            done = partial_turn(position, shown)
            assert done.turn is not None
            assert done.turn.end == turn.end


@pytest.mark.parametrize("name", KINDS)
def test_whatever_is_touched_leads_to_a_legal_turn(name: str) -> None:
    rng = random.Random(1)
    for position in positions(name):
        hops: tuple[Hop, ...] = ()
        partial = partial_turn(position)
        while partial.turn is None:
            hops = (*hops, rng.choice(partial.following))
            partial = partial_turn(position, hops)
        assert partial.turn.end in [turn.end for turn in position.turns()]


def test_a_double_is_made_of_four_checkers_and_uses_up_its_dice() -> None:
    position, hops = sw.game("backgammon").parse(DOUBLE), ()
    for _ in range(4):
        partial = partial_turn(position, hops)
        assert partial.turn is None
        hops = (*hops, partial.following[0])
    partial = partial_turn(position, hops)
    assert partial.spent == (3, 3, 3, 3)
    assert partial.turn is not None
    assert partial.shown.words[4:] == partial.turn.end.words[4:]
    assert sum("spent" in piece.look for piece in scene_of(partial.shown, partial.spent).pieces) == 4


def test_a_checker_on_the_bar_moves_first() -> None:
    position = sw.game("backgammon").parse(".b....D.C...eE...c.e....BA X 31")
    assert {hop.source for hop in partial_turn(position).following} == {"bar0"}


def test_a_mill_asks_for_the_man_to_take() -> None:
    position = sw.game("morris").start()
    for move in ("a7", "a1", "d7", "d1"):
        position = position.play(move)
    partial = partial_turn(position, (Hop("", "g7"),))
    assert partial.turn is None
    assert {hop.target for hop in partial.following} == {"a1", "d1"}
    assert sum(piece.place == "g7" for piece in scene_of(partial.shown).pieces) == 1


@pytest.mark.parametrize("name", KINDS)
def test_an_illegal_hop_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(sw.BadInput, match="cannot"):
        partial_turn(positions(name, 1)[0], (Hop("", "nowhere"),))


@pytest.mark.parametrize("name", KINDS)
def test_pieces_put_on_places_make_the_position_they_come_from(name: str) -> None:
    game = sw.game(name)
    for position in positions(name, 12):
        again = game.parse(composed(game, puts_of(position), position.mover))
        assert str(again).split()[0] == str(position).split()[0]
        on_places = [put for put in puts_of(position) if not put[0].startswith("hand")]
        assert len(loose_scene(game, puts_of(position)).pieces) == len(on_places)


def test_pieces_that_do_not_exist_are_refused() -> None:
    with pytest.raises(sw.BadInput, match="Pieces of morris: black, white"):
        composed(sw.game("morris"), [("a7", "green")], 0)
    with pytest.raises(sw.BadInput, match="has no player 5"):
        composed(sw.game("nim"), [], 5)


@pytest.mark.parametrize("name", ["nim", "othello:size=4", "morris"])
def test_a_game_without_scenes_is_shown_by_its_text_and_its_list_of_moves(name: str) -> None:
    game = sw.game(name)
    stage, scene = plain.stage(game), plain.scene(game.start())
    assert stage.listed
    assert scene.labels or scene.ground
    turn = game.start().turns()[0]
    assert plain.hops(turn)[0].target.endswith(turn.text)


def test_a_text_that_is_a_grid_is_drawn_as_cells() -> None:
    class Grid:
        """Stands for a position whose board is three words by two."""

        def board(self) -> str:
            return "x . o\n. x ."

    assert plain._cells(Grid()) == [["x", ".", "o"], [".", "x", "."]]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_well_formed_and_have_a_title(name: str) -> None:
    for theme in ("light", "dark", "auto"):
        root = fromstring(sw.game(name).start().svg(theme))
        assert root.tag.endswith("svg")
        assert (root[0].text or "").startswith(sw.game(name).title)


def test_the_page_has_the_colours_of_pictures() -> None:
    style, picture = page_style(), sw.game("othello").start().svg("dark")
    assert "--felt:#415c4a" in style
    assert ".felt{fill:#415c4a}" in picture


def test_brushes_exist_where_positions_can_be_put_together() -> None:
    assert brushes(sw.game("morris")) == ["white", "black"]
    assert len(brushes(sw.game("einstein:board=6,players=4"))) == 24
