import { StateRow } from './state-row.tsx'

// Complete class names, because Tailwind searches the source text for them.
const colours = [
  ['bg', 'bg-bg'],
  ['sunken', 'bg-sunken'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['hover', 'bg-hover'],
  ['active', 'bg-active'],
  ['line', 'bg-line'],
  ['line2', 'bg-line2'],
  ['ctl', 'bg-ctl'],
  ['ink3', 'bg-ink3'],
  ['ink2', 'bg-ink2'],
  ['ink', 'bg-ink'],
  ['accent', 'bg-accent'],
  ['accent-soft', 'bg-accent-soft'],
  ['focus', 'bg-focus'],
  ['danger', 'bg-danger'],
  ['danger-soft', 'bg-danger-soft'],
  ['warn', 'bg-warn'],
  ['warn-soft', 'bg-warn-soft'],
  ['ok', 'bg-ok'],
  ['ok-soft', 'bg-ok-soft'],
] as const

const textStyles = [
  ['text-3xl font-semibold', 'Welcome, 28/36'],
  ['text-2xl font-semibold num', 'Figure, 24/32'],
  ['text-xl font-semibold', 'Page title, 20/28'],
  ['text-lg font-semibold', 'Dialog, 16/24'],
  ['text-14/5 font-semibold', 'Section, 14/20'],
  ['text-sm font-medium', 'Name, 13/20 500'],
  ['text-sm', 'Body, 13/20'],
  ['text-xs text-ink3', 'Hint, 12/16'],
] as const

/** Colours and type sizes, by name. */
export function Tokens() {
  return (
    <>
      <StateRow title="Colours" className="grid! grid-cols-7 gap-2!">
        {colours.map(([name, fill]) => (
          <div key={name} className="min-w-0 text-xs text-ink2">
            <div className={`${fill} mb-1 h-9 rounded-control shadow-card`} />
            <span className="block truncate">{name}</span>
          </div>
        ))}
      </StateRow>
      <StateRow title="Type" className="flex-col items-start! gap-1!">
        {textStyles.map(([style, words]) => (
          <p key={words} className={style}>
            {words}
          </p>
        ))}
      </StateRow>
    </>
  )
}
