import { Card } from '#web/ui/card.tsx'
import { ChooseCard } from './choose-card.tsx'
import { EndedCard } from './ended-card.tsx'
import { RunningCard } from './running-card.tsx'
import { UnreadableCard } from './unreadable-card.tsx'
import { useImport } from './use-import.ts'

/** The import of a CSV file, in one of its four states: choose, running, ended, unreadable. */
export function ImportContacts({ onViewContacts }: { onViewContacts: () => void }) {
  const { state, start, stop, reset } = useImport()
  return (
    <Card aria-label="Import" className="flex min-h-78 flex-col p-5 max-sm:p-4">
      {state.step === 'idle' && <ChooseCard onFile={start} />}
      {state.step === 'running' && <RunningCard {...state} onStop={stop} />}
      {state.step === 'unreadable' && <UnreadableCard {...state} onFile={start} />}
      {state.step === 'ended' && (
        <EndedCard {...state} onFile={start} onReset={reset} onViewContacts={onViewContacts} />
      )}
    </Card>
  )
}
