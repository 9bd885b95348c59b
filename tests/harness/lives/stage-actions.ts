import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { isMember, newMarker, roleOf } from './world.ts'
import { isSuccess } from './api-client.ts'

export const stageActions = {
  async 'write pipeline'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const role = roleOf(session, brand)
    const isAllowed = role === 'admin' || role === 'owner'
    const marker = newMarker(world, {
      what: `a pipeline of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const { token } = session
    const { api } = world.site
    const addResponse = await api.rest('POST', 'pipelines', { token, body: { id, brand_id: brand.id, name: marker } })
    const sentence = `${session.name} adds a pipeline to ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(addResponse) })) return
    if (step.isVariant) return
    const deleteResponse = await api.rpc('delete_pipeline', { p_brand_id: brand.id, p_pipeline_id: id }, { token })
    judgeAttempt(world, step, {
      what: `${session.name} deletes it again`,
      isAllowed,
      isDone: isSuccess(deleteResponse),
    })
    const values = { p_brand_id: brand.id, p_table: 'pipelines', p_ids: [id] }
    const restored = await api.rpc('restore_records', values, { token })
    judgeAttempt(world, step, { what: `${session.name} restores it`, isAllowed, isDone: isSuccess(restored) })
  },
} satisfies Record<string, Action>
