import { Card } from '#web/ui/card.tsx'
import { ChooseCard } from './choose-card.tsx'
import { ColumnsCard } from './columns-card.tsx'
import { EndedCard } from './ended-card.tsx'
import { PastImports } from './past-imports.tsx'
import { RunningCard } from './running-card.tsx'
import { UnreadableCard } from './unreadable-card.tsx'
import { useImport } from './use-import.ts'

/**
 * The import of a CSV file in one of its five states: no file yet (earlier imports are listed below), columns, running, ended, unreadable.
 */
export function ImportContacts({ onViewContacts }: { onViewContacts: () => void }) {
  const { state, start, choose, readFirstRowAs, run, stop, reset } = useImport()
  return (
    <div className="flex flex-col gap-4">
      <Card aria-label="Import" className="flex min-h-78 flex-col p-5 max-sm:p-4">
        {state.step === 'idle' && <ChooseCard onFile={start} />}
        {state.step === 'columns' && (
          <ColumnsCard
            {...state.checked}
            columns={state.columns}
            headless={state.headless}
            onChange={choose}
            onFirstRow={readFirstRowAs}
            onStart={run}
            onReset={reset}
          />
        )}
        {state.step === 'running' && <RunningCard {...state} onStop={stop} />}
        {state.step === 'unreadable' && <UnreadableCard {...state} onFile={start} />}
        {state.step === 'ended' && (
          <EndedCard {...state} onFile={start} onReset={reset} onViewContacts={onViewContacts} />
        )}
      </Card>
      {state.step === 'idle' && <PastImports />}
    </div>
  )
}
