/** The colours of tags, as the database names them. tag-colors.css has their values. New tags get them in this order. */
export const tagColors = [
  'blue',
  'green',
  'orange',
  'purple',
  'teal',
  'red',
  'pink',
  'yellow',
  'indigo',
  'grey',
] as const

export type TagColor = (typeof tagColors)[number]

/**
 * Returns the class that sets the colours of text, dot and soft fill inside an element. A colour that this version does not know is grey.
 */
export function tagClass(color: string): string {
  return tagColors.some((known) => known === color) ? `tag-${color}` : 'tag-grey'
}
