import { useEffect } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { runSeriesCode } from '#web/data/changes/series-code.ts'
import { cx } from '#web/lib/class-names.ts'
import { readRepeats, repeatsWords } from '#web/lib/series.ts'

interface RepeatSignProps {
  repeats: string | null
  /** The CSS classes of the words. Without them, the words are only for screen readers. */
  wordsClass?: string
}

/** The sign of a repeating task: two arrows and the words 'Every week'. Renders nothing for a task that does not repeat. */
export function RepeatSign({ repeats, wordsClass = 'sr-only' }: RepeatSignProps) {
  const device = useDevice()
  const repetition = readRepeats(repeats)
  const isRepeating = repetition !== null
  useEffect(() => {
    // Loads the code of series now, so that completing the task also works offline.
    if (isRepeating) void runSeriesCode(device, () => {})
  }, [device, isRepeating])
  if (!repetition) return null
  return (
    <span
      title={repeatsWords(repetition, true)}
      className="relative z-1 flex shrink-0 items-center gap-1 text-xs text-ink3"
    >
      <RepeatMark />
      <span className={cx('whitespace-nowrap', wordsClass)}>{repeatsWords(repetition)}</span>
    </span>
  )
}

/** The two arrows of a repeating task. The shape is from Lucide (ISC licence). */
export function RepeatMark() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-3.5 shrink-0"
    >
      <path d="m17 2 4 4-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 0 1-4 4H3" />
    </svg>
  )
}
