import { type KeyboardEvent, useRef } from 'react'

/** A longer pause ends what was typed: the next letter begins anew. Milliseconds. */
const typingPauseMs = 500

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

interface Labelled {
  label: string
}

/**
 * Where a key leads in a list, from the place `at` (-1: from none); null: it leads nowhere. With `wrap` an arrow leads on from the last to
 * the first. Letters lead to the next label that begins with them; typed in quick succession, with all of them; the same one again and
 * again goes through all that begin with it. Case and accents do not matter; where no label begins so, the place stays.
 */
export function useListKeys(wrap = false) {
  const typed = useRef({ text: '', time: 0 })
  return (event: KeyboardEvent, list: readonly Labelled[], at: number): number | null => {
    const { key, timeStamp, ctrlKey, metaKey, altKey } = event
    const step = steps[key]
    if (step !== undefined) return placeAfter(step, at, list.length, wrap)
    // Space is no letter: it opens and takes.
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return null
    const before = timeStamp - typed.current.time > typingPauseMs ? '' : typed.current.text
    const text = before + key
    const found =
      find(list, text, before === '' ? at + 1 : at) ??
      (text === key.repeat(text.length) ? find(list, key, at + 1) : undefined)
    typed.current = { text: found === undefined ? '' : text, time: timeStamp }
    return found ?? at
  }
}

function placeAfter(step: number, at: number, count: number, wrap: boolean): number {
  if (wrap && Math.abs(step) === 1) return (Math.max(at, step < 0 ? 0 : -1) + step + count) % (count || 1)
  return Math.max(0, Math.min(at + step, count - 1))
}

function find(list: readonly Labelled[], text: string, from: number): number | undefined {
  for (let step = 0; step < list.length; step++) {
    const index = (from + step + list.length) % list.length
    const start = list[index]?.label.slice(0, text.length)
    if (start?.localeCompare(text, undefined, { sensitivity: 'base' }) === 0) return index
  }
  return undefined
}
