import {
  KeyboardSensor,
  type KeyboardSensorProps,
  MouseSensor,
  type SensorContext,
  type SensorProps,
  TouchSensor,
} from '@dnd-kit/core'
import { tryEachFrame } from '#web/ui/focus.ts'

/** Maximum number of frames that the end of a drag waits for the board to render: half a second. */
const renderFrames = 30

/** Drags a card with the mouse. */
export class CardMouse extends MouseSensor {
  constructor(props: SensorProps<object>) {
    super(completeDrag(props, true))
  }
}

/** Drags a card by touch. */
export class CardTouch extends TouchSensor {
  constructor(props: SensorProps<object>) {
    super(completeDrag(props))
  }
}

/** Drags a card with the keyboard. It also handles keys that are pressed immediately after the lift. */
export class CardKeys extends KeyboardSensor {
  constructor(props: KeyboardSensorProps) {
    super(props)
    // The library starts to listen in a timer. This timer is set later, so it runs after the library's.
    const earlyEvents: KeyboardEvent[] = []
    const hold = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      earlyEvents.push(event)
    }
    document.addEventListener('keydown', hold, true)
    setTimeout(() => {
      document.removeEventListener('keydown', hold, true)
      for (const event of earlyEvents) event.target?.dispatchEvent(new KeyboardEvent('keydown', event))
    })
  }
}

/**
 * Completes what the library leaves out of a drag by pointer:
 *
 * - With `isMouse`, the mouse move that starts the drag also moves the card. The library ignores the position of this move, which may be the only one.
 *   (A touch starts a drag without a move.)
 * - The end of the drag waits until the last move is rendered, because the library uses the rendered position. Otherwise a card that is released
 *   right after its last move would be dropped at its former position. A card that is released right after its lift would never be put down.
 */
function completeDrag(props: SensorProps<object>, isMouse = false): SensorProps<object> {
  let isCarried = false
  const endWhenRendered = (finish: () => void) => () => {
    if (!isCarried) return finish()
    isCarried = false
    let frames = 0
    // The first frame renders the move, the second one the new column.
    void tryEachFrame(() => ++frames > 1 && isRendered(props.context.current), renderFrames).then(finish)
  }
  return {
    ...props,
    onStart: (coordinates) => {
      isCarried = true
      props.onStart(coordinates)
      // The library listens on the document, so the window gets the same event next.
      if (isMouse) addEventListener('mousemove', (event) => props.onMove(event), { once: true })
    },
    onEnd: endWhenRendered(() => props.onEnd()),
    onCancel: endWhenRendered(() => props.onCancel()),
  }
}

function isRendered({ active, over, collisions }: SensorContext): boolean {
  return active !== null && over?.id === collisions?.[0]?.id
}
