import { type KeyboardEvent, useRef } from 'react'

/** If the person pauses longer than this between two letters (ms), the second letter starts a new search. */
const typingPauseMs = 500

const stepByKey: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

interface LabelledOption {
  label: string
}

/**
 * Returns a function that computes to which index a pressed key leads from the index `at` (-1 for none). It returns null for a key that has no
 * meaning in a list, such as Tab. Arrow keys, Page Up, Page Down, Home and End lead to another item; with `wrap`, arrow down leads from the last item
 * to the first, and arrow up from the first to the last. A letter leads to the next label that begins with it. Letters typed quickly lead to the
 * label that begins with all of them. The same letter, typed repeatedly, leads through all labels that begin with it. Case and accents are ignored.
 * If no label begins with the letters, the function returns `at`.
 */
export function useListKeys(wrap = false) {
  const typed = useRef({ text: '', time: 0 })
  return (event: KeyboardEvent, list: readonly LabelledOption[], at: number): number | null => {
    const { key, timeStamp, ctrlKey, metaKey, altKey } = event
    const step = stepByKey[key]
    if (step !== undefined) return indexAfterStep(step, at, list.length, wrap)
    // Space is not a letter here: it opens the list and chooses.
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return null
    const earlierLetters = timeStamp - typed.current.time > typingPauseMs ? '' : typed.current.text
    const text = earlierLetters + key
    const foundIndex =
      findLabel(list, text, earlierLetters === '' ? at + 1 : at) ??
      (text === key.repeat(text.length) ? findLabel(list, key, at + 1) : undefined)
    typed.current = { text: foundIndex === undefined ? '' : text, time: timeStamp }
    return foundIndex ?? at
  }
}

function indexAfterStep(step: number, at: number, count: number, wrap: boolean): number {
  if (wrap && Math.abs(step) === 1) return (Math.max(at, step < 0 ? 0 : -1) + step + count) % (count || 1)
  return Math.max(0, Math.min(at + step, count - 1))
}

function findLabel(list: readonly LabelledOption[], text: string, from: number): number | undefined {
  for (let step = 0; step < list.length; step++) {
    const index = (from + step + list.length) % list.length
    const start = list[index]?.label.slice(0, text.length)
    if (start?.localeCompare(text, undefined, { sensitivity: 'base' }) === 0) return index
  }
  return undefined
}
