/** A rotating arc of 16 px, for a busy control or bar. Whole pages show skeletons instead. */
export function Spinner() {
  return (
    <svg className="spin size-4 shrink-0" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path d="M14 8a6 6 0 1 1-6-6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
