/** Measures the speed of an import over the last five seconds, and estimates the time left. */
export class Rate {
  private readonly marks: { at: number; rows: number }[] = []

  /** Records that `rows` are done in total at the time `at` (ms). */
  mark(rows: number, at: number): void {
    this.marks.push({ at, rows })
    while (this.marks.length > 2 && at - (this.marks[0]?.at ?? at) > 5_000) this.marks.shift()
  }

  /** Rows per second; 0 while unknown. */
  perSecond(): number {
    const [firstMark, lastMark] = [this.marks[0], this.marks.at(-1)]
    if (!firstMark || !lastMark || lastMark.at - firstMark.at < 200) return 0
    return Math.round(((lastMark.rows - firstMark.rows) * 1000) / (lastMark.at - firstMark.at))
  }

  /** Seconds for this many more rows; null while unknown. */
  secondsFor(rows: number): number | null {
    const speed = this.perSecond()
    return speed > 0 ? Math.ceil(rows / speed) : null
  }
}

/** Returns the time left as text: '7 seconds left', '1 minute left'. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'} left`
  const minutes = Math.round(seconds / 60)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
}
