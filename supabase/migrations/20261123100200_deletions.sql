-- Who deleted a record: what a person is told whose edit came too late.

-- Answers {"by": user id or null, "at": time} of a deleted record, for 90 days; null where it was not deleted.
create function public.record_deletion(p_brand_id uuid, p_table text, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    select jsonb_build_object('by', t.deleted_by, 'at', t.deleted_at) from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = p_id
  );
end
$$;
revoke execute on function public.record_deletion(uuid, text, uuid) from public, anon, authenticated;
grant execute on function public.record_deletion(uuid, text, uuid) to authenticated, service_role;
