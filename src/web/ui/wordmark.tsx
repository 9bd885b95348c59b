import { Mark } from './mark.tsx'

/** The logo and the product's name. */
export function Wordmark({ size = 'bar' }: { size?: 'bar' | 'auth' }) {
  return size === 'bar' ? (
    <span className="flex items-center gap-2.5 text-15/6 font-semibold tracking-[-0.012em] whitespace-nowrap">
      <Mark size={22} />
      Banyan CRM
    </span>
  ) : (
    <span className="flex items-center gap-2.5 text-lg font-semibold whitespace-nowrap max-sm:gap-3.5 max-sm:text-18">
      <Mark size={28} className="text-accent max-sm:size-8.5" />
      Banyan CRM
    </span>
  )
}
