import { useState } from 'react'
import type { AuthOutcome } from '#web/data/session/session.ts'
import { minutesAndSeconds, useCountdown } from '#web/lib/use-countdown.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

const pauseMs = 60_000

/** The button 'Send again', enabled one minute after the last message was sent. `sent` is the text of the toast. */
export function SendAgain({ send, sent }: { send: () => Promise<AuthOutcome>; sent: string }) {
  const [enabledAt, setEnabledAt] = useState(() => Date.now() + pauseMs)
  const [pending, setPending] = useState(false)
  const secondsLeft = useCountdown(enabledAt)
  const run = useOnce(async () => {
    setPending(true)
    const outcome = await send()
    setPending(false)
    if (!outcome.ok) return toast.error(outcome.message)
    setEnabledAt(Date.now() + pauseMs)
    toast.success(sent)
  })
  return (
    <Button size="sign-in" disabled={secondsLeft > 0} pending={pending} onClick={run} className="w-full">
      Send again
      {secondsLeft > 0 && <span className="num font-normal text-ink2">in {minutesAndSeconds(secondsLeft)}</span>}
    </Button>
  )
}
