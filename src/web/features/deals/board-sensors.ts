import {
  KeyboardSensor,
  type KeyboardSensorProps,
  MouseSensor,
  type SensorContext,
  type SensorProps,
  TouchSensor,
} from '@dnd-kit/core'
import { tryEachFrame } from '#web/ui/focus.ts'

/** How long the end of a drag waits for the board to render, in frames: half a second. */
const renderFrames = 30

/** Carries a card by mouse. */
export class CardMouse extends MouseSensor {
  constructor(props: SensorProps<object>) {
    super(endedWhenRendered(props))
  }
}

/** Carries a card by touch. */
export class CardTouch extends TouchSensor {
  constructor(props: SensorProps<object>) {
    super(endedWhenRendered(props))
  }
}

/** Carries a card by keys, and misses none of those that follow the lift at once. */
export class CardKeys extends KeyboardSensor {
  constructor(props: KeyboardSensorProps) {
    super(props)
    // The library listens from a timer on. This one is set after it, and runs after it.
    const early: KeyboardEvent[] = []
    const hold = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      early.push(event)
    }
    document.addEventListener('keydown', hold, true)
    setTimeout(() => {
      document.removeEventListener('keydown', hold, true)
      for (const event of early) event.target?.dispatchEvent(new KeyboardEvent('keydown', event))
    })
  }
}

/**
 * The library takes the end of a drag from what it has rendered. Without this a card that is let go right after its last move falls where it
 * was before; one that is let go right after its lift is never put down, and the board stands still.
 */
function endedWhenRendered(props: SensorProps<object>): SensorProps<object> {
  let isCarried = false
  const end = (finish: () => void, least: number) => () => {
    if (!isCarried) return finish()
    isCarried = false
    let frames = 0
    void tryEachFrame(() => ++frames >= least && isRendered(props.context.current), renderFrames).then(finish)
  }
  return {
    ...props,
    onStart: (coordinates) => {
      isCarried = true
      props.onStart(coordinates)
    },
    // The first frame renders the move, the second one the column that it leads to.
    onEnd: end(() => props.onEnd(), 2),
    onCancel: end(() => props.onCancel(), 1),
  }
}

function isRendered({ active, over, collisions }: SensorContext): boolean {
  return active !== null && over?.id === collisions?.[0]?.id
}
