import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '#web/ui/button.tsx'

/** Shows the notice beside the page that is rendered in #root. */
export function showNotStoredNotice(): void {
  const element = document.createElement('div')
  document.body.append(element)
  createRoot(element).render(<NotStoredNotice />)
}

/** Shown until the person closes it: says that the browser forbids the app to store anything, what does not work without storage, and what to do. */
function NotStoredNotice() {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <section
      role="status"
      aria-label="Nothing is stored"
      className="fixed right-4 bottom-4 left-4 z-20 mx-auto flex max-w-lg flex-col items-start gap-2 rounded-card bg-raised px-4 py-3 text-sm text-ink shadow-pop max-sm:bottom-20"
    >
      <h2 className="font-semibold">This browser stores nothing for Banyan CRM</h2>
      <p className="text-ink2">
        You can work while you are online. When you reload the page or close it, you must sign in again, and changes
        that are not sent yet are lost. Without a connection the app does not open.
      </p>
      <p className="text-ink2">
        To change this, use a normal window instead of a private one, or allow this site to store data in the settings
        of the browser. Then reload the page.
      </p>
      <Button onClick={() => setClosed(true)} className="self-end">
        Continue
      </Button>
    </section>
  )
}
