// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab, putRows, untilIdle, type LoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { stageById } from '#web/data/deal-stages.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { StageDialog } from './stage-dialog.tsx'

renderInPage()

const writeLine = 'PATCH /rest/v1/deal_stages'

/** Opens the form of a stage with so many deals. If `counter` is 'server', the device has none of them, and the server's count has not arrived. */
async function openForm(kind: DealStage['kind'], deals: number, counter: 'device' | 'server' = 'device') {
  const tab = await openLoneTab(counter === 'server' ? { windowed: ['deals'] } : {})
  putRows(tab.data, 'deal_stages', {
    id: 'done',
    pipeline_id: 'sales',
    name: 'Done',
    position: 1,
    kind,
    color: null,
    probability: null,
    usual_days: null,
  })
  putRows(tab.data, 'deals', { id: 'other', name: 'Other', stage_id: 'incoming' })
  for (let index = 0; index < deals; index++)
    putRows(tab.data, 'deals', { id: `deal ${index}`, name: `Deal ${index}`, stage_id: 'done' })
  await act(async () => {
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <StageDialog
          open
          pipelineId="sales"
          stage={stageById(tab.device, 'done') ?? null}
          onClose={() => {}}
          onDelete={() => {}}
        />
      </DeviceContext>,
    )
    await untilIdle()
  })
  return tab
}

const kindBox = () => document.querySelector<HTMLElement>('[role=dialog] [role=combobox]')

async function choose(label: string) {
  act(() => kindBox()?.click())
  await act(async () => {
    const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
    options.find(({ textContent }) => textContent === label)?.click()
    await untilIdle()
  })
}

/** The text with which the field of the kind is described. */
const warning = () => document.getElementById(kindBox()?.getAttribute('aria-describedby') ?? '')?.textContent

const saveButton = () => document.querySelector<HTMLButtonElement>('button[type=submit]')

async function save({ network }: LoneTab) {
  await act(async () => {
    saveButton()?.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await untilIdle()
  })
  return network.of(writeLine).map(({ body }) => body)
}

test('the form says how many deals of a won stage are reopened by another kind, and that they lose their closing day', async () => {
  const tab = await openForm('won', 3)
  expect(warning()).toBeUndefined()
  await choose('Open')
  expect(warning()).toBe('3 deals are reopened and lose their closing day. A change back within 24 hours restores it.')
  await choose('Won')
  expect(warning()).toBeUndefined()
  await choose('Open')
  expect(await save(tab)).toEqual([{ kind: 'open' }])
})

test('the form says how many deals of an open stage are closed by another kind', async () => {
  await openForm('open', 2)
  await choose('Lost')
  expect(warning()).toBe('2 deals are closed today. A closing day that was lost in the last 24 hours returns.')
})

test('a single deal has words of its own', async () => {
  await openForm('lost', 1)
  await choose('Open')
  expect(warning()).toBe('1 deal is reopened and loses its closing day. A change back within 24 hours restores it.')
})

test('a new kind of a stage without deals needs no warning', async () => {
  await openForm('won', 0)
  await choose('Open')
  expect(warning()).toBeUndefined()
})

test('a change from won to lost keeps the closing days, and needs no warning', async () => {
  const tab = await openForm('won', 3)
  await choose('Lost')
  expect(warning()).toBeUndefined()
  expect(await save(tab)).toEqual([{ kind: 'lost' }])
})

test('a new kind is not saved while the server counts the deals', async () => {
  const tab = await openForm('won', 0, 'server')
  expect(saveButton()?.getAttribute('aria-disabled')).toBeNull()
  await choose('Open')
  expect(warning()).toBe('The deals are being counted…')
  expect(saveButton()?.getAttribute('aria-disabled')).toBe('true')
  expect(await save(tab)).toEqual([])
})
