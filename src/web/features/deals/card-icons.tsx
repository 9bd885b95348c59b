/*
 * The icons of a deal card, each a single path: a board shows about a hundred of them, and every element costs memory, and time in each
 * frame of a drag. The shapes are from Lucide (ISC licence).
 */
const building =
  'M10 12h4M10 8h4M14 21v-3a2 2 0 0 0-4 0v3M6 10H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16'
const calendar = 'M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z'
const clock = 'M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0'
const listWithCross = 'M11 12H3M16 6H3M16 18H3M20.5 9.5l-5 5M15.5 9.5l5 5'
const person = 'M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M8 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0'
const arrows = 'm16 3 4 4-4 4M20 7H4M8 21l-4-4 4-4M4 17h16'

export function BuildingMark() {
  return <OnePath d={building} />
}

export function CalendarMark() {
  return <OnePath d={calendar} />
}

export function ClockMark() {
  return <OnePath d={clock} />
}

/** A list with a cross means no task. A clock would look like a due time. */
export function NoTaskMark() {
  return <OnePath d={listWithCross} />
}

export function ContactMark() {
  return <OnePath d={person} />
}

export function MoveMark() {
  return <OnePath d={arrows} />
}

function OnePath({ d }: { d: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-3.5 shrink-0 text-ink3 max-sm:size-4 [.text-danger>&]:text-danger"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}
