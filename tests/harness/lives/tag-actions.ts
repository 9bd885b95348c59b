import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { type Brand, isMember, newMarker, roleOf, type Session } from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

const presentTags = ({ tags }: Brand) => tags.filter(({ isDeleted }) => !isDeleted)
const taggableRecords = ({ records }: Brand) =>
  records.filter(({ table, isDeleted }) => !isDeleted && table !== 'tasks')

const mayChangeTags = (session: Session, brand: Brand) =>
  isMember(session, brand) && ['admin', 'owner'].includes(roleOf(session, brand) ?? '')

export const tagActions = {
  async 'make tag'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const name = newMarker(world, {
      what: `a tag of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const { api } = world.site
    const { token } = session
    const response = step.isVariant
      ? await api.rpc('upsert_tag', { p_brand_id: brand.id, p_name: name, p_id: id }, { token })
      : await api.rest('POST', 'tags', { token, body: { id, brand_id: brand.id, name } })
    const sentence = `${session.name} makes a tag in ${brandLabel(world, brand)}`
    if (
      judgeAttempt(world, step, {
        what: sentence,
        isAllowed: mayChangeTags(session, brand),
        isDone: isSuccess(response),
      })
    )
      brand.tags.push({ id, isDeleted: false })
  },

  async 'tag record'(world, step) {
    const selection = sessionAndBrand(
      world,
      step,
      (brand) => presentTags(brand).length > 0 && taggableRecords(brand).length > 0,
    )
    if (!selection) return
    const { session, brand } = selection
    const tag = presentTags(brand)[step.itemIndex % presentTags(brand).length]
    const record = taggableRecords(brand)[step.itemIndex % taggableRecords(brand).length]
    if (tag === undefined || record === undefined) return
    const { api } = world.site
    const { token } = session
    const sentence = `${session.name} tags one of the ${record.table} of ${brandLabel(world, brand)}`
    const isAllowed = isMember(session, brand)
    if (step.isVariant) {
      const query = { table: record.table, where: { id: [record.id] } }
      const values = { p_brand_id: brand.id, p_query: query, p_change: { add_tags: [tag.id] } }
      const response = await api.rpc('change_matching', values, { token })
      judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })
    } else {
      const path = `${record.table}?brand_id=eq.${brand.id}&id=eq.${record.id}`
      const response = await api.rest('PATCH', path, { token, body: { tag_ids: [tag.id] }, withRows: true })
      judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })
    }
  },

  async 'delete tag'(world, step) {
    const selection = sessionAndBrand(world, step, (brand) => presentTags(brand).length > 0)
    if (!selection) return
    const { session, brand } = selection
    const [tag, intoTag] = presentTags(brand)
    if (tag === undefined) return
    const { api } = world.site
    const { token } = session
    const values = { p_brand_id: brand.id, p_tag_id: tag.id, p_into_id: intoTag?.id }
    const isMerged = step.isVariant && intoTag !== undefined
    const response = isMerged
      ? await api.rpc('merge_tags', values, { token })
      : await api.rest('DELETE', `tags?brand_id=eq.${brand.id}&id=eq.${tag.id}`, { token, withRows: true })
    const sentence = `${session.name} ${isMerged ? 'merges' : 'deletes'} a tag of ${brandLabel(world, brand)}`
    const isSuccessful = isMerged ? isSuccess(response) : hasRows(response)
    if (!judgeAttempt(world, step, { what: sentence, isAllowed: mayChangeTags(session, brand), isDone: isSuccessful }))
      return
    tag.isDeleted = true
    if (!isMerged) return
    // First a random session tries to undo the merge, then the session that merged.
    const somebody = world.sessions[step.affectedIndex % world.sessions.length] ?? session
    for (const actingSession of [somebody, session]) {
      const undoValues = { p_brand_id: brand.id, p_table: 'tags', p_ids: [tag.id] }
      const restored = await api.rpc('restore_moved', undoValues, { token: actingSession.token })
      const isAllowed = actingSession.isAlive && mayChangeTags(actingSession, brand)
      const undo = { what: `${actingSession.name} undoes the merge of a tag of ${brandLabel(world, brand)}`, isAllowed }
      if (judgeAttempt(world, step, { ...undo, isDone: isSuccess(restored) })) tag.isDeleted = false
    }
  },
} satisfies Record<string, Action>
