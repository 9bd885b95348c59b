/**
 * The colours that tags can have, by the names that the database uses. A new tag gets the colour that the fewest tags have; of several such colours,
 * the first in this list. tag-colors.css has their values.
 */
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
 * Returns the CSS class that sets a tag's colours for text, dot and soft fill inside an element. If this version does not know the colour, returns
 * the class of grey.
 */
export function tagClass(color: string): string {
  return tagColors.some((tagColor) => tagColor === color) ? `tag-${color}` : 'tag-grey'
}
