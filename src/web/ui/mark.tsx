/** The SVG paths of the logo: crown, trunk and two stems on each side. `smallMarkPath` is for a logo of 20 px or less. */
export const markPath =
  'M1.491 8.75A11 11 0 0 1 22.509 8.75H19.9A6.25 6.25 0 0 0 13.65 15V22.876A11 11 0 0 1 10.35 22.876V15A6.25 6.25 0 0 0 4.1 8.75ZM15.15 15A4.75 4.75 0 0 1 19.9 10.25H22.86A11 11 0 0 1 22.95 13.05H21.4A3.95 3.95 0 0 0 17.45 17V21.555A11 11 0 0 1 15.15 22.539ZM18.95 17A2.45 2.45 0 0 1 21.4 14.55H22.7A11 11 0 0 1 18.95 20.526ZM8.85 15A4.75 4.75 0 0 0 4.1 10.25H1.14A11 11 0 0 0 1.05 13.05H2.6A3.95 3.95 0 0 1 6.55 17V21.555A11 11 0 0 0 8.85 22.539ZM5.05 17A2.45 2.45 0 0 0 2.6 14.55H1.3A11 11 0 0 0 5.05 20.526Z'
export const smallMarkPath =
  'M1.606 8.4A11 11 0 0 1 22.394 8.4H20.6A6.6 6.6 0 0 0 14 15V22.817A11 11 0 0 1 10 22.817V15A6.6 6.6 0 0 0 3.4 8.4ZM15.9 15A4.7 4.7 0 0 1 20.6 10.3H22.868A11 11 0 0 1 15.9 22.285ZM8.1 15A4.7 4.7 0 0 0 3.4 10.3H1.132A11 11 0 0 0 8.1 22.285Z'

/** The logo in one colour. `size` is in pixels. It is only decoration: the product's name is beside it. */
export function Mark({ size = 24, className = 'text-accent' }: { size?: number; className?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className}>
      <path d={size <= 20 ? smallMarkPath : markPath} />
    </svg>
  )
}
