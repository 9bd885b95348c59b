import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { limits } from '#shared/limits.ts'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { renameBrand } from '#web/data/people/change-brand.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { announce } from '#web/ui/live-region.ts'
import { toastBrandRefusal } from './brand-refusal.ts'

/** The setting of the brand's name. Only owners can change it. */
export function RenameBrand({ brand }: { brand: ActiveBrand }) {
  const device = useDevice()
  const [typedName, setTypedName] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const name = typedName ?? brand.name
  const save = async () => {
    if (pending || name.trim() === brand.name) return
    if (!name.trim()) {
      setError('Brand name required')
      input.current?.focus()
      return
    }
    setPending(true)
    const outcome = await renameBrand(device, name)
    setPending(false)
    if (outcome.status === 'refused') {
      toastBrandRefusal('Error renaming brand', outcome.code, outcome.message)
      input.current?.focus()
      return
    }
    setTypedName(null)
    announce(`The brand is called ${name.trim()} now`)
  }
  if (brand.role !== 'owner') {
    return (
      <div className="flex items-center gap-3.5">
        <LetterTile name={brand.name} size={44} />
        <div className="min-w-0">
          <p title={brand.name} className="truncate font-medium">
            {brand.name}
          </p>
          <p className="text-sm text-ink2">Owners can rename it.</p>
        </div>
      </div>
    )
  }
  return (
    <form
      noValidate
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3.5 gap-y-4 max-sm:grid-cols-[auto_minmax(0,1fr)]"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="mt-5.25 max-sm:mt-7">
        <LetterTile name={name || brand.name} size={40} />
      </div>
      <Field label="Brand name" error={error}>
        <Input
          ref={input}
          autoComplete="organization"
          enterKeyHint="done"
          maxLength={limits.brands.name}
          value={name}
          onChange={(event) => {
            setTypedName(event.target.value)
            setError(null)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !isComposing(event)) setTypedName(null)
          }}
        />
      </Field>
      <Button
        type="submit"
        size="form"
        pending={pending}
        disabled={name.trim() === brand.name}
        className="sm:mt-6.5 max-sm:col-span-full"
      >
        Rename
      </Button>
    </form>
  )
}
