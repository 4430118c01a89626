import { createFileRoute } from '@tanstack/react-router';
import { ContactDirectoryPage } from '../../../../features/settings/contacts/contact-directory-page.tsx';
import { contactDirectorySearch } from '../../../../features/settings/contacts/contact-directory-search.ts';
import { requireAccess } from '../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/settings/contact-directory/')({
  validateSearch: contactDirectorySearch,
  beforeLoad: requireAccess('contactDirectory'),
  component: ContactDirectoryPage,
});
