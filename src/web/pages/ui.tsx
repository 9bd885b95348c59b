import { useEffect } from 'react'
import { Controls } from '#web/features/showcase/controls.tsx'
import { Fields } from '#web/features/showcase/fields.tsx'
import { Records } from '#web/features/showcase/records.tsx'
import { Tokens } from '#web/features/showcase/tokens.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'

/** /ui, only in development: every part of the design system in every state, light and dark side by side. */
export function UiPage() {
  useDocumentTitle('Design system')
  useEffect(() => {
    const { classList } = document.documentElement
    const wasDark = classList.contains('dark')
    classList.remove('dark')
    return () => void classList.toggle('dark', wasDark)
  }, [])
  return (
    <main className="grid grid-cols-2 max-lg:grid-cols-1">
      <h1 className="sr-only">Design system</h1>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} className={`${theme} flex min-w-0 flex-col gap-8 bg-bg p-8 text-ink max-sm:p-4`}>
          <Controls id={theme} />
          <Fields />
          <Records />
          <Tokens />
        </div>
      ))}
    </main>
  )
}
