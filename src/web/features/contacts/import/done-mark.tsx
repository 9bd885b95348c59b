/** A tick in a circle. */
export function DoneMark() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="mt-0.5 size-5 shrink-0 text-ok"
    >
      <circle cx="10" cy="10" r="8.2" />
      <path d="m6.6 10.3 2.3 2.3 4.5-5" />
    </svg>
  )
}
