import type { ComponentPropsWithRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { useFieldControl } from './field.tsx'

/** Several lines of text, inside a Field; grows with its content up to 240 px. */
export function Textarea({ className, rows = 3, ...rest }: ComponentPropsWithRef<'textarea'>) {
  const { labelId: _, ...control } = useFieldControl()
  return (
    <div className={cx('field-frame', className)}>
      <textarea
        {...control}
        {...rest}
        rows={rows}
        className="field-sizing-content max-h-60 min-h-18 w-full resize-none rounded-control bg-transparent px-3 py-2 text-base"
      />
    </div>
  )
}
