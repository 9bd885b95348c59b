import type { Device } from '#web/data/browser/device.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { inPieces, type PieceCall } from './people/in-pieces.ts'
import { byPosition } from './pipelines.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import type { DealStage, Pipeline } from '#web/data/server/rows.ts'
import { newId } from '#web/lib/new-id.ts'

/**
 * Changes of pipelines and stages by admins and owners. They work only online, so the outcome is never 'queued'. Before a promise resolves with
 * 'saved', the new rows are pulled. If a change affects more deals than one request can write, requests that each write a part of the deals are sent
 * first (`inPieces`). If one of them fails, the stage still exists, with its old kind. The same change can then be sent again, and writes the rest.
 */

type SettingTable = 'pipelines' | 'deal_stages'

export type StageValues = Pick<DealStage, 'name' | 'kind' | 'color' | 'probability' | 'usual_days'>

/** The names of the stages of a new pipeline. */
const firstStageNames = ['Incoming', 'Won', 'Lost']

/**
 * Adds a stage after the others of its pipeline. An open stage goes before the won and lost ones. Without a kind, the name decides the
 * kind.
 */
export async function addStage(
  device: Device,
  pipelineId: string,
  values: Pick<StageValues, 'name'> & Partial<StageValues>,
): Promise<Outcome> {
  const row = { ...values, id: newId(), brand_id: brandIdOf(device), pipeline_id: pipelineId }
  const outcome = await insertRows(device, row.id, (server) => server.from('deal_stages').insert(row).select('id'))
  const order = outcome.status === 'saved' ? orderWithOpenStage(device, pipelineId, row.id) : null
  if (order) await reorder(device, 'deal_stages', order)
  return outcome
}

/**
 * Returns the ids of a pipeline's stages in the order in which this open stage comes before the won and lost ones. Null if that is their
 * present order, or if the stage is not open.
 */
function orderWithOpenStage(device: Device, pipelineId: string, id: string): string[] | null {
  const stages = [...(openBrand(device).get()?.tables.deal_stages.values() ?? [])]
    .filter((stage) => stage.pipeline_id === pipelineId)
    .sort(byPosition)
  const added = stages.find((stage) => stage.id === id)
  const firstClosedIndex = stages.findIndex((stage) => stage.kind !== 'open')
  if (added?.kind !== 'open' || firstClosedIndex < 0 || firstClosedIndex > stages.indexOf(added)) return null
  return stages
    .filter((stage) => stage !== added)
    .toSpliced(firstClosedIndex, 0, added)
    .map((stage) => stage.id)
}

/** The ids of a new pipeline and of its first stages. */
export interface PipelineIds {
  pipeline: string
  stages: readonly string[]
}

/** Returns ids for `addPipeline`. */
export function newPipelineIds(): PipelineIds {
  return { pipeline: newId(), stages: firstStageNames.map(() => newId()) }
}

/**
 * Adds a pipeline with its first stages, in two requests. If one of them fails, call this function again with the same ids: it saves the
 * name, which may be a new one, and adds only what is missing.
 */
export async function addPipeline(device: Device, name: string, ids: PipelineIds): Promise<Outcome> {
  const row = { id: ids.pipeline, brand_id: brandIdOf(device), name: name.trim() }
  const added = await changeOnline(device, row.id, (server) => server.from('pipelines').insert(row).select('id'))
  const pipeline = existsAlready(added) ? await updateRow(device, 'pipelines', row.id, { name: row.name }) : added
  if (pipeline.status !== 'saved') return pipeline
  const stages = firstStageNames.map((name, index) => ({
    id: ids.stages[index],
    name,
    brand_id: row.brand_id,
    pipeline_id: row.id,
  }))
  const outcome = await insertRows(device, row.id, (server) => server.from('deal_stages').insert(stages).select('id'))
  if (outcome.status !== 'refused') return outcome
  if (existsAlready(outcome)) return pipeline
  return { ...outcome, message: `${outcome.message} The pipeline has no stages yet.` }
}

/** Whether an insert was refused because rows with its ids exist: an earlier call has added them. */
function existsAlready(outcome: Outcome): boolean {
  return outcome.status === 'refused' && outcome.code === '23505'
}

/**
 * Changes a stage. `edited`: the stage when the person began to edit it. Only values that differ from it are sent. A new kind closes its deals, or
 * opens them.
 */
export function saveStage(device: Device, edited: DealStage, values: StageValues): Promise<Outcome> {
  return updateEdited(device, 'deal_stages', edited, values)
}

/** Changes a pipeline's name and the lost reasons that it offers. `edited`: as for `saveStage`. */
export function savePipeline(
  device: Device,
  edited: Pipeline,
  values: Pick<Pipeline, 'name' | 'lost_reasons'>,
): Promise<Outcome> {
  return updateEdited(device, 'pipelines', edited, values)
}

/** Puts pipelines, or the stages of a pipeline, in this order. */
export function reorder(device: Device, table: SettingTable, ids: readonly string[]): Promise<Outcome> {
  return callRpc(device, ids[0] ?? '', 'set_positions', { p_table: table, p_ids: ids })
}

/** Deletes a stage. Its deals, with their history, go to another stage. */
export function deleteStage(device: Device, id: string, toStageId: string | null): Promise<Outcome> {
  const args = { p_stage_id: id, p_to_stage_id: toStageId }
  return callRpc(device, id, 'delete_deal_stage', args, 'clear_deal_stage')
}

/** Deletes a pipeline and its stages. Its deals, with their history, go to a stage of another pipeline. */
export function deletePipeline(device: Device, id: string, toStageId: string | null): Promise<Outcome> {
  const args = { p_pipeline_id: id, p_to_stage_id: toStageId }
  return callRpc(device, id, 'delete_pipeline', args, 'clear_pipeline')
}

/** A delete that moves more deals or records than this cannot be undone (`restore_moved`). */
export const maxUndoableMoves = 2000

/** Undoes a delete of stages and, with `pipelineId`, of their pipeline. Deals that nobody has moved since come back to their stages. */
export async function restoreStages(
  device: Device,
  stageIds: readonly string[],
  pipelineId: string | null = null,
): Promise<Outcome> {
  if (pipelineId) {
    const outcome = await callRpc(device, pipelineId, 'restore_records', { p_table: 'pipelines', p_ids: [pipelineId] })
    if (outcome.status !== 'saved') return outcome
  }
  if (stageIds.length === 0) return { status: 'saved', id: pipelineId ?? '' }
  return callRpc(device, stageIds[0] ?? '', 'restore_moved', { p_table: 'deal_stages', p_ids: stageIds })
}

/** Sends only the values that differ from the edited row, so that what others have changed meanwhile stays. */
async function updateEdited(
  device: Device,
  table: SettingTable,
  edited: DealStage | Pipeline,
  values: object,
): Promise<Outcome> {
  const before = new Map<string, unknown>(Object.entries(edited))
  const changes = Object.entries(values).filter(
    ([column, value]) => JSON.stringify(value) !== JSON.stringify(before.get(column)),
  )
  if (changes.length === 0) return { status: 'saved', id: edited.id }
  return updateRow(device, table, edited.id, Object.fromEntries(changes))
}

function updateRow(device: Device, table: SettingTable, id: string, values: Partial<StageValues>): Promise<Outcome> {
  const brandId = brandIdOf(device)
  const send = () =>
    changeOnline(device, id, (server) =>
      server.from(table).update(values).eq('brand_id', brandId).eq('id', id).select('id'),
    )
  if (values.kind === undefined) return thenPull(device, send())
  const args = { p_brand_id: brandId, p_stage_id: id, p_kind: values.kind }
  return thenPull(
    device,
    inPieces(device, send, async () => [{ name: 'apply_stage_kind', args }]),
  )
}

/**
 * Calls an RPC, then pulls. `pieces`: the RPC that does a part of the work per call, with the same arguments, if one call of `name` takes too long.
 */
function callRpc(device: Device, id: string, name: string, args: object, pieces?: PieceCall['name']): Promise<Outcome> {
  const allArgs = { p_brand_id: brandIdOf(device), ...args }
  const send = () => changeOnline(device, id, (server) => server.rpc(name, allArgs), 'call')
  if (pieces === undefined) return thenPull(device, send())
  return thenPull(
    device,
    inPieces(device, send, async () => [{ name: pieces, args: allArgs }]),
  )
}

function insertRows(...request: Parameters<typeof changeOnline>): Promise<Outcome> {
  const [device] = request
  return thenPull(device, changeOnline(...request))
}

async function thenPull(device: Device, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  if (outcome.status === 'saved') await requestPull(device)
  return outcome
}

function brandIdOf(device: Device): string {
  return openBrand(device).get()?.brandId ?? ''
}
