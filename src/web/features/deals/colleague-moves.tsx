import { type Dispatch, useEffect, useEffectEvent, useRef } from 'react'
import type { BoardColumn } from '#web/data/deals.ts'
import { type RemoteMove, useRemoteMoves } from '#web/data/remote-moves.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { announce } from '#web/ui/live-region.ts'
import { toast } from '#web/ui/toast.ts'
import { findCard } from './board-neighbours.ts'
import type { BoardEvent } from './board-state.ts'
import { MoveMark } from './card-icons.tsx'
import { MoveAnnouncer } from './move-announcer.ts'
import { moveWords } from './move-words.ts'

/** How long a card shows who moved it (ms). */
const shownMs = 2_000
/** Delay after a drop, so that the toast of the person's own move is shown first (ms). */
const afterDropMs = 700

/**
 * Shows moves of colleagues for a moment: a ring and a chip on the card, and a toast. Waits while the person presses or carries a card.
 * Renders nothing itself.
 */
export function ColleagueMoves({
  columns,
  isFrozen,
  dispatch,
  onShow,
  onLeave,
}: {
  columns: readonly BoardColumn[]
  /** True while the person presses or carries a card: then the board does not change. */
  isFrozen: boolean
  dispatch: Dispatch<BoardEvent>
  /** Scrolls to a card and focuses it. */
  onShow: (dealId: string) => void
  /** Called before a card leaves its place. */
  onLeave: (dealId: string) => void
}) {
  /** The moves that arrived while the board was frozen. `away`: they were made while the page was hidden or offline. */
  const heldMoves = useRef<{ moves: readonly RemoteMove[]; away: boolean }[]>([])
  const announcer = useRef<MoveAnnouncer | null>(null)

  const show = useEffectEvent((dealId: string) => onShow(dealId))

  function endLater(moves: readonly RemoteMove[]) {
    setTimeout(() => dispatch({ type: 'arrivals-ended', moves }), shownMs)
  }

  useRemoteMoves((remoteMoves, away) => {
    // Moves of cards that a search or 'Mine' hides are left out.
    const moves = remoteMoves.filter(({ dealId }) => findCard(columns, dealId))
    if (moves.length === 0) return
    // The page was hidden after the moves were requested. They are announced when it is visible again.
    if (document.visibilityState === 'hidden') return announcer.current?.add(moves, true)
    // Dispatched even while the board is frozen: a column must know about a move before the board shows it, otherwise no card slides.
    if (!away) dispatch({ type: 'cards-arrived', moves })
    if (isFrozen) return void heldMoves.current.push({ moves, away })
    for (const { dealId } of moves) onLeave(dealId)
    announcer.current?.add(moves, away)
    endLater(moves)
  })
  const showHeldMoves = useEffectEvent(() => {
    const releasedMoves = heldMoves.current.splice(0)
    for (const { moves } of releasedMoves) endLater(moves)
    setTimeout(() => releasedMoves.forEach(({ moves, away }) => announcer.current?.add(moves, away)), afterDropMs)
  })
  useEffect(() => {
    if (!isFrozen) showHeldMoves()
  }, [isFrozen])
  useEffect(() => {
    const current = new MoveAnnouncer((moves, away) => toastMoves(moves, away, show))
    announcer.current = current
    return () => current.stop()
  }, [])
  return null
}

/** Shows moves in a toast. While the toast of the person's own action is shown, with its 'Undo', only announces them to screen readers. */
function toastMoves(moves: readonly RemoteMove[], away: boolean, show: (dealId: string) => void): void {
  const text = moveWords(moves, away)
  const [first] = moves
  const movers = new Set(moves.map(({ mover }) => mover?.userId ?? null))
  const onlyMover = movers.size === 1 && !away ? first?.mover : null
  const isShown = toast.news(text, {
    leading: onlyMover ? <Avatar name={onlyMover.name} size={24} /> : <MoveMark />,
    ...(first && moves.length === 1 ? { action: { label: 'Show', run: () => show(first.dealId) } } : {}),
  })
  if (!isShown) announce(text)
}
