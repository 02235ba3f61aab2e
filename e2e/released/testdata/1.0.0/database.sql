COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a20872-afdf-71c9-9726-b485fcac2492	01a20872-afbe-7a74-908f-cced9522544c	sandbox	Fictional Shops	USD	America/New_York	2026-11-23 12:47:43.583+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b330-71a3-971d-dfd5a515eb3c	01a20872-b0aa-7900-9e8c-787a1c5a413e
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a20872-b338-7176-ad72-f5908ac5f2e0	01a20872-afdf-71c9-9726-b485fcac2492	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-23 12:47:44.436+00	2026-11-23 12:47:44.436+00
01a20872-b342-7915-8234-1b9139019986	01a20872-afdf-71c9-9726-b485fcac2492	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-23 12:47:44.45+00	2026-11-23 12:47:44.45+00
01a20872-b345-77d5-b8cd-0ef1d7610c4a	01a20872-afdf-71c9-9726-b485fcac2492	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-23 12:47:44.453+00	2026-11-23 12:47:44.453+00
01a20872-b585-7210-89f2-833c5aaf2b26	01a20872-afdf-71c9-9726-b485fcac2492	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-23 12:47:45.105+00	2026-11-23 12:47:45.028+00	2026-11-23 12:47:45.105+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_352Zy0R0lnjygwNuM2qMg	01a20872-afbe-7a74-908f-cced9522544c	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x01b1553a0e72e70cb2bdd014a986de1288e3225165fd88fc1db3ec9e30e43b6593642945918b56f40f836db40dfd6bd77b995de86418d21b303b2ae3c491e3829dab9848f0359d86fb87d1b457f0	\\x36d1d6e6539cb74d12a790522e132740e9025365d57ed28ed4d1ad3267ec2f31	2026-11-23 12:47:43.617+00	\N	2026-11-23 12:47:44.125+00	\N
sb_352Zy0UQNDvTBo27bOkCZ	01a20872-afbe-7a74-908f-cced9522544c	sandbox	reporting	strict	f	{read}	\\x01b1553a0e6c0df5cb6a4f2d60a677de2f4dcbc221743b9105083f583ccc005c91663d1347d4e0a96a6615b10c038b9a8ec96d5443cb5fa65017dd58db3d2ba39982f134d65c4dd03782cdf78ea4	\\x8e7a76e4a483203a90f5f513b4fd43a89f022188c571a646bdb29d7b8cb20d04	2026-11-23 12:47:43.652+00	2200-01-01 00:00:00+00	2026-11-23 12:47:49.265+00	\N
sb_352Zy0XXeVbvFyQb1WYOe	01a20872-afbe-7a74-908f-cced9522544c	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x01b1553a0ec629f5bb9ad1f57c52c356a8aa8b0d03e9a2320f7174f726bc6a2fab229b6a00cb3fb026bf180fa76eabed013484ef66097d1fea3d613494b0a46b785ad96dfd1e35338fe539e193bf	\\x13b0e7ad25bc8e96eb7b0efc0d8acd7894563b7386fbf512a31ec9db42202dde	2026-11-23 12:47:43.684+00	\N	2026-11-23 12:47:49.267+00	\N
sb_352Zy0alHPXjeoxI3d2zF	01a20872-afbe-7a74-908f-cced9522544c	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x01b1553a0ea04ec9b6e72f7b509bcac18c671663b08b96e4055713da80701ece063fb7a5aede3cabf3cb58a93d69c8ba65fe6c4b9acaedf4169b7a7d508166aec6bb4a19063599ec2800377f1675	\\x828cba5710a4ddff90f62c7227ee8c5541223d2e716dc3884b06240bca956b67	2026-11-23 12:47:43.717+00	\N	\N	2026-11-23 12:47:43.747+00
\.

COPY event_epoch (number, cluster, tag) FROM stdin;
1	7711209261884015137/00000001	2377298066721756799
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a20872-afbe-7a74-908f-cced9522544c	sandbox	business.create	orchards	\\x313484071d654506a72932dc38e1899addbe471a387038c5147a3ebd1e3426a6	{"data": {"person_ids": ["p_352Zy1jEho7Z1eVsuAGOn", "p_352Zy1jEhuYvAxxGPTJUM"], "business_id": "b_352Zy1jEfpATzztPAAtVI", "sales_info_id": "bsi_352Zy1jEhvx4du20WMwEt"}}	2026-11-23 12:47:44.436+00
01a20872-afbe-7a74-908f-cced9522544c	sandbox	workflow.pricing.calculate	price	\\x15d5ff3ea5c8e86e45945db573ff4b2e9ee146c6a33285225a25bcb48b3e7d64	{"data": {"evaluation_score": 600.375}}	2026-11-23 12:47:44.505+00
01a20872-afbe-7a74-908f-cced9522544c	sandbox	workflow.requiredDocument.calculate	calculate	\\x15d5ff3ea5c8e86e45945db573ff4b2e9ee146c6a33285225a25bcb48b3e7d64	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}, {"status": "COMPLETED", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy1y3TUXvOP2zT35hb"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy1y3TYqEdkSkUW153"}, {"status": "PENDING", "entity_id": "w_352Zy1ktZUU4mASSoaYgO", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy1y3Tbgz0REFEro3A"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy1y3TfBuIwINbOHlK"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3Th2J5v86Vnkm7"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352Zy1jEhuYvAxxGPTJUM", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}]}}	2026-11-23 12:47:44.852+00
01a20872-afbe-7a74-908f-cced9522544c	sandbox	workflow.requiredDocument.calculate	ended	\\x14f3cb96421c19a432af6ba8c792980475eed5531ebb8252f733a527fc1c8665	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_352Zy2QuIvGkHebMb4F2w", "entity_type": "Workflow"}}	2026-11-23 12:47:45.01+00
01a20872-afbe-7a74-908f-cced9522544c	sandbox	webhook.key.create	key	\\x7d16a39a4534af4357e180ff4512e8e63aa719c0391484a755e86e30fe8a6105	{"data": {"key_id": "whk_20261123_02", "status": "INACTIVE", "created_at": "2026-11-23T12:47:48.345Z"}}	2026-11-23 12:47:48.351+00
01a20872-afbe-7a74-908f-cced9522544c	sandbox	webhook.key.activate	activate	\\xaacb5094d302e6f06f17a75acc31ef435a1123d1b67255e6c19c5fd277da73d8	{"data": {"key_id": "whk_20261123_02", "status": "ACTIVE", "activated_at": "2026-11-23T12:47:48.378Z"}}	2026-11-23 12:47:48.378+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_352Zy0R0lnjygwNuM2qMg	22BRGXXIANAOPAX64TGEIHUZTK	2026-11-23 13:02:48.922448+00
sb_352Zy0R0lnjygwNuM2qMg	2536YB7XKZSK5MKKF4ID7QLQUO	2026-11-23 13:02:49.504036+00
sb_352Zy0R0lnjygwNuM2qMg	2BH3ROPGQLDD774MFG3O5KBDRF	2026-11-23 13:02:49.098332+00
sb_352Zy0R0lnjygwNuM2qMg	2BNSBYC6KZZWZFRZZHNBK2HDBI	2026-11-23 13:02:49.56105+00
sb_352Zy0R0lnjygwNuM2qMg	2BVSHKD2I2ZWMS4ZVHDX7DB2BU	2026-11-23 13:02:48.131154+00
sb_352Zy0R0lnjygwNuM2qMg	2CDUUCGIJ4H6WXIYCOHX3OGG3I	2026-11-23 13:02:44.335054+00
sb_352Zy0R0lnjygwNuM2qMg	2KJD2WUZ6HMQVQBSU46VEEDQZD	2026-11-23 13:02:48.79773+00
sb_352Zy0R0lnjygwNuM2qMg	2OAAF4OT27Q7DFJXL6GDVR3WBY	2026-11-23 13:02:48.67257+00
sb_352Zy0R0lnjygwNuM2qMg	34G3CBAWLC34VARDZDLQXD6WDJ	2026-11-23 13:02:48.327291+00
sb_352Zy0R0lnjygwNuM2qMg	365AP3VDQXKVGVSBVRFUTH46GC	2026-11-23 13:02:49.366975+00
sb_352Zy0R0lnjygwNuM2qMg	3B5ZMIRHXLBMD7DVN574HXKJHJ	2026-11-23 13:02:49.270607+00
sb_352Zy0R0lnjygwNuM2qMg	3EKOFPK7T5DTR2INRBT43CLYRL	2026-11-23 13:02:49.434074+00
sb_352Zy0R0lnjygwNuM2qMg	3KK5IVVHF4ELMVUJ2M3KPP3NVQ	2026-11-23 13:02:44.542122+00
sb_352Zy0R0lnjygwNuM2qMg	3M4KAMZFHOWBR5V6VHJVRDPQKZ	2026-11-23 13:02:49.508272+00
sb_352Zy0R0lnjygwNuM2qMg	3QMV57M6C56SB7WJMZOKMSD53P	2026-11-23 13:02:44.315957+00
sb_352Zy0R0lnjygwNuM2qMg	3QNOXZPZS4B2HBJAJWGSPPQW2L	2026-11-23 13:02:49.526271+00
sb_352Zy0R0lnjygwNuM2qMg	3REEVGF744VZBMTP3PMIBAI5AM	2026-11-23 13:02:49.419945+00
sb_352Zy0R0lnjygwNuM2qMg	3RFQMUPHGF7HHCRBMUTJCOSLSM	2026-11-23 13:02:48.197787+00
sb_352Zy0R0lnjygwNuM2qMg	3SB2N6PTSX5VDAFNXBGKXTPXYF	2026-11-23 13:02:44.320686+00
sb_352Zy0R0lnjygwNuM2qMg	3WAGGFXA4WFNUIKYOGY46XZYLA	2026-11-23 13:02:49.365281+00
sb_352Zy0R0lnjygwNuM2qMg	42HWDY34BI3S2QSZNWZKPH2DWA	2026-11-23 13:02:48.312629+00
sb_352Zy0R0lnjygwNuM2qMg	44BCCPLZKWTNLZZSCGLP7BQDYB	2026-11-23 13:02:49.48254+00
sb_352Zy0R0lnjygwNuM2qMg	4HXYGVPYRU3ZHCCG4U2SWYFAFX	2026-11-23 13:02:49.465237+00
sb_352Zy0R0lnjygwNuM2qMg	4JJ23DJUXT56G4KLDUEVZVOQ4X	2026-11-23 13:02:44.38796+00
sb_352Zy0R0lnjygwNuM2qMg	4K6BHKVKRJXUMYMQPQXXMFDTGM	2026-11-23 13:02:44.44895+00
sb_352Zy0R0lnjygwNuM2qMg	4V26CT6CCY6QLLUUQOFJUDOEJH	2026-11-23 13:02:49.528006+00
sb_352Zy0R0lnjygwNuM2qMg	4X7XK5GNBQEUKAPKZOZ3J7DGG2	2026-11-23 13:02:48.873206+00
sb_352Zy0R0lnjygwNuM2qMg	5D4HDHILMSTPWFEKSSSSNZ264E	2026-11-23 13:02:48.309083+00
sb_352Zy0R0lnjygwNuM2qMg	5DIEOFKL54PVW4DKJTWHT3QDCP	2026-11-23 13:02:48.973207+00
sb_352Zy0R0lnjygwNuM2qMg	5FQJACL4E4MSUTSFM5D22AV5XW	2026-11-23 13:02:49.417495+00
sb_352Zy0R0lnjygwNuM2qMg	5G2WLCVKOBEOLT53F2YYYRMSSE	2026-11-23 13:02:49.387288+00
sb_352Zy0R0lnjygwNuM2qMg	5SFW5DQQKAFRWXXZFSM3RCYPO2	2026-11-23 13:02:49.485061+00
sb_352Zy0R0lnjygwNuM2qMg	5TDDP7VLZUS4J6ZQE5JQQAAIF3	2026-11-23 13:02:49.431133+00
sb_352Zy0R0lnjygwNuM2qMg	6FWQM57Y3DUNEZZHKRSSVNTSTX	2026-11-23 13:02:48.49838+00
sb_352Zy0R0lnjygwNuM2qMg	6G2FZLD4ZJOXIBO22G35VQ32VY	2026-11-23 13:02:49.54824+00
sb_352Zy0R0lnjygwNuM2qMg	6HAWLQTJE6OSWSXFWC3RALG2JJ	2026-11-23 13:02:44.105532+00
sb_352Zy0R0lnjygwNuM2qMg	6QCIKWXXPTZ5ZBVOEEFN5JPK3J	2026-11-23 13:02:48.747871+00
sb_352Zy0R0lnjygwNuM2qMg	6X4UQPJFKOCQQERGERNAT5UDCY	2026-11-23 13:02:44.688103+00
sb_352Zy0R0lnjygwNuM2qMg	6Z5YMORAODVRU36FFY5HXUJJ5G	2026-11-23 13:02:48.598273+00
sb_352Zy0R0lnjygwNuM2qMg	7232L3SUUGA2DN6N2M2EH6VZ23	2026-11-23 13:02:49.248494+00
sb_352Zy0R0lnjygwNuM2qMg	72TGIIFFELTWC2F42ZCSUVQYDJ	2026-11-23 13:02:49.148081+00
sb_352Zy0R0lnjygwNuM2qMg	7FT57FYM7BG23LH6FZR6RTLBC4	2026-11-23 13:02:49.414808+00
sb_352Zy0R0lnjygwNuM2qMg	7NKTBGEVOHYI3VXJ4WJXRHNBZM	2026-11-23 13:02:48.847393+00
sb_352Zy0R0lnjygwNuM2qMg	A5APPKDTX4ZWLR645L4GTBBXRV	2026-11-23 13:02:49.495699+00
sb_352Zy0R0lnjygwNuM2qMg	AAYRB5CILX2HNS752GB4H3SKFP	2026-11-23 13:02:49.344297+00
sb_352Zy0R0lnjygwNuM2qMg	AC5AX73NGKSDA5E3PRB2OCL2UU	2026-11-23 13:02:48.448276+00
sb_352Zy0R0lnjygwNuM2qMg	AI2GOLO4I2A3QQZFKCS5AY75Z6	2026-11-23 13:02:48.422004+00
sb_352Zy0R0lnjygwNuM2qMg	AIUA4HFGNXAQZO25R27ZHMXO62	2026-11-23 13:02:49.516445+00
sb_352Zy0R0lnjygwNuM2qMg	AJ2ID2RSS777WKD5RPFJF4AMQK	2026-11-23 13:02:49.524642+00
sb_352Zy0R0lnjygwNuM2qMg	AOQKBCKMVCPG2H4K43WGI3IDVB	2026-11-23 13:02:44.452126+00
sb_352Zy0R0lnjygwNuM2qMg	AXXK5U3NHXWASLJKJT744AZ2QI	2026-11-23 13:02:49.31401+00
sb_352Zy0R0lnjygwNuM2qMg	AYJ7E46LHA2NOC4PGK534DUB5Q	2026-11-23 13:02:49.475498+00
sb_352Zy0R0lnjygwNuM2qMg	AYOPHC7YBX3MTF4Z5J5VCI5T6X	2026-11-23 13:02:48.522522+00
sb_352Zy0R0lnjygwNuM2qMg	B3CCGDAE75PHE7VYENVVOT34Q5	2026-11-23 13:02:48.145706+00
sb_352Zy0R0lnjygwNuM2qMg	B3X5PY75L6VOUOWTNLOI5WORPI	2026-11-23 13:02:49.53382+00
sb_352Zy0R0lnjygwNuM2qMg	BE434VFS746GE3U6SW42ZRHJEU	2026-11-23 13:02:44.936435+00
sb_352Zy0R0lnjygwNuM2qMg	BERLOPMK3EPPWOMYHINL5BPHCR	2026-11-23 13:02:49.319646+00
sb_352Zy0R0lnjygwNuM2qMg	BOCEFPMTTUIZSWETTAYMYCLWMW	2026-11-23 13:02:44.310771+00
sb_352Zy0R0lnjygwNuM2qMg	BR6LTYBO6THQPZMFVBYMMQEI5Q	2026-11-23 13:02:44.454561+00
sb_352Zy0R0lnjygwNuM2qMg	BV2IWB6MKDX6DSC7JPIQXC4USP	2026-11-23 13:02:49.349115+00
sb_352Zy0R0lnjygwNuM2qMg	BZW275HSRWF5O4FXIJ6RQDQ3QQ	2026-11-23 13:02:49.244887+00
sb_352Zy0R0lnjygwNuM2qMg	CAZYCZMHE7S4RAKXODMGSUBNKH	2026-11-23 13:02:49.44093+00
sb_352Zy0R0lnjygwNuM2qMg	CDI4AY6WKBWFZGU5I5CHFTN3UG	2026-11-23 13:02:44.299333+00
sb_352Zy0R0lnjygwNuM2qMg	CHQGFHEAY4L3B3JGXXMHHZP5SS	2026-11-23 13:02:49.472431+00
sb_352Zy0R0lnjygwNuM2qMg	CIX5SIDELBEJ3SCJG6IZKZG3BN	2026-11-23 13:02:49.510418+00
sb_352Zy0R0lnjygwNuM2qMg	CRVZDIN6BYCXXNPND3S5FCGYFC	2026-11-23 13:02:44.623128+00
sb_352Zy0R0lnjygwNuM2qMg	DFPQU2UKJBYRJJKO3RU6CITG7Q	2026-11-23 13:02:48.417651+00
sb_352Zy0R0lnjygwNuM2qMg	DHZGMF5DXYBHS4JNUG3G5TNBVF	2026-11-23 13:02:49.257911+00
sb_352Zy0R0lnjygwNuM2qMg	DIRRHLJQTTE4WNRLVCTBP5PP7S	2026-11-23 13:02:48.136962+00
sb_352Zy0R0lnjygwNuM2qMg	DKF2T5LF6QXKNS47G6HFQFF5E4	2026-11-23 13:02:44.720497+00
sb_352Zy0R0lnjygwNuM2qMg	DPE2PWGDLWDMOMHRVOOHH756BN	2026-11-23 13:02:49.261968+00
sb_352Zy0R0lnjygwNuM2qMg	E35PIOZDKQIUU2POBVI3KP5KNV	2026-11-23 13:02:49.256106+00
sb_352Zy0R0lnjygwNuM2qMg	ECVH2HYGIJ5DJEJBCOXF4DLNW6	2026-11-23 13:02:49.428706+00
sb_352Zy0R0lnjygwNuM2qMg	EE7B5ZUYYNH3URDBSASVQP4G7I	2026-11-23 13:02:44.272527+00
sb_352Zy0R0lnjygwNuM2qMg	EFPAQVF4W6P2FQ634MG2JXDVYF	2026-11-23 13:02:44.46233+00
sb_352Zy0R0lnjygwNuM2qMg	F6ANSJI4S2RWVP3UKO7CRIEKHM	2026-11-23 13:02:49.334747+00
sb_352Zy0R0lnjygwNuM2qMg	FNPWHZGKHYCBWLHRIQH5SUYVUY	2026-11-23 13:02:44.435141+00
sb_352Zy0R0lnjygwNuM2qMg	FUP76SNSV2N5CW2U67F57BN2A3	2026-11-23 13:02:49.295241+00
sb_352Zy0R0lnjygwNuM2qMg	FYAXP2UDSZ4VRYHO72XRAPOOTR	2026-11-23 13:02:48.822403+00
sb_352Zy0R0lnjygwNuM2qMg	G2K7WILGNWMWT7RULEWI4YZUBP	2026-11-23 13:02:48.148359+00
sb_352Zy0R0lnjygwNuM2qMg	G5GGRK3P5CF5PSBYDQY2FSBSX6	2026-11-23 13:02:49.236667+00
sb_352Zy0R0lnjygwNuM2qMg	G5KG7IWV67OOMCGYHG6GUQTAQY	2026-11-23 13:02:48.152911+00
sb_352Zy0R0lnjygwNuM2qMg	G75JVZUCSFBYM2RPIE622RVXLB	2026-11-23 13:02:49.476878+00
sb_352Zy0R0lnjygwNuM2qMg	GBZZ5XKZNODXUUNNYUWBGX3D3I	2026-11-23 13:02:48.139431+00
sb_352Zy0R0lnjygwNuM2qMg	GDALQ374N2AHMIBBTLZ6ZZBD5Q	2026-11-23 13:02:49.272527+00
sb_352Zy0R0lnjygwNuM2qMg	GIDCWHOT2PF7EO7AA5CDFXSPDM	2026-11-23 13:02:48.472303+00
sb_352Zy0R0lnjygwNuM2qMg	GLIIHUCV4JNN7GQENS7G2XMTZE	2026-11-23 13:02:49.352609+00
sb_352Zy0R0lnjygwNuM2qMg	GLW3X23PKYIDYAR243KAHCUHQ2	2026-11-23 13:02:49.337731+00
sb_352Zy0R0lnjygwNuM2qMg	GN6EO535RLB5VJ427L5VIRNNAX	2026-11-23 13:02:49.489713+00
sb_352Zy0R0lnjygwNuM2qMg	GUVODDIVKWSNI6GZNGNWCATXUL	2026-11-23 13:02:44.875038+00
sb_352Zy0R0lnjygwNuM2qMg	HGU5QR5MSLJJ4O7TD7AT7VP2SJ	2026-11-23 13:02:49.4671+00
sb_352Zy0R0lnjygwNuM2qMg	HK34YK2C7VRASOD7NCRKPRCJHP	2026-11-23 13:02:49.462277+00
sb_352Zy0R0lnjygwNuM2qMg	HKTXZ2RFVZGRPWIWEGEN5JH5N5	2026-11-23 13:02:49.263413+00
sb_352Zy0R0lnjygwNuM2qMg	HOLQASNQCAWWCIKBI4PMUPXAWS	2026-11-23 13:02:49.550492+00
sb_352Zy0R0lnjygwNuM2qMg	HTEW4XL2ZV6FELCYZLMREXRDZ5	2026-11-23 13:02:49.241247+00
sb_352Zy0R0lnjygwNuM2qMg	HYWYJ3YBF3JRAPSSQ4JINXL7I2	2026-11-23 13:02:49.254291+00
sb_352Zy0R0lnjygwNuM2qMg	HZ3HM4CPNRVGHMPGOM6URICPFW	2026-11-23 13:02:49.310721+00
sb_352Zy0R0lnjygwNuM2qMg	HZSVJYFDMY6RN7A2TRESUKBTP3	2026-11-23 13:02:49.514445+00
sb_352Zy0R0lnjygwNuM2qMg	I6CGCZOS3QKOA2ESG2ZTITSN36	2026-11-23 13:02:44.291613+00
sb_352Zy0R0lnjygwNuM2qMg	IDLTHV6SN2JFQ3DWTCIHYEYA3P	2026-11-23 13:02:49.259537+00
sb_352Zy0R0lnjygwNuM2qMg	IEGVQNNY4OK72KAPTIZZC43JLK	2026-11-23 13:02:49.276916+00
sb_352Zy0R0lnjygwNuM2qMg	IHY7SQWG7XDZ3PLKWPYKPIHDCB	2026-11-23 13:02:44.736349+00
sb_352Zy0R0lnjygwNuM2qMg	IKAB4RR4GISOD7XB7L5JSOECX4	2026-11-23 13:02:49.497394+00
sb_352Zy0R0lnjygwNuM2qMg	INK6AXIVPJWBHKHFLHC7MGB7K7	2026-11-23 13:02:49.306658+00
sb_352Zy0R0lnjygwNuM2qMg	IPFF6ZCVDKPC777LPWWNEY2VWX	2026-11-23 13:02:49.491913+00
sb_352Zy0R0lnjygwNuM2qMg	IUKVZ2UVJX5UEGG4XFAVZJMKX4	2026-11-23 13:02:44.994796+00
sb_352Zy0R0lnjygwNuM2qMg	J7CA562H2P423HUPCQODABC3KJ	2026-11-23 13:02:49.40847+00
sb_352Zy0R0lnjygwNuM2qMg	JBJEIFFJGV5W5KJXUUNCCHDIXW	2026-11-23 13:02:44.212508+00
sb_352Zy0R0lnjygwNuM2qMg	JLYNJTNJAR3M42MUEVB3KJJUL7	2026-11-23 13:02:49.423655+00
sb_352Zy0R0lnjygwNuM2qMg	JOIQNXKQW6SHDUEOS7B4FJKOJV	2026-11-23 13:02:49.535059+00
sb_352Zy0R0lnjygwNuM2qMg	JPNH4TVO3LT73V62EZQ75NJCHR	2026-11-23 13:02:49.49895+00
sb_352Zy0R0lnjygwNuM2qMg	JTMY57VKXEVDHMBRGZOFLEUCL7	2026-11-23 13:02:49.500899+00
sb_352Zy0R0lnjygwNuM2qMg	JZP73JGFTYRHYXOF75BDDOF665	2026-11-23 13:02:48.39684+00
sb_352Zy0R0lnjygwNuM2qMg	K2P24BSXCVALYEO36PW56ADFWV	2026-11-23 13:02:48.573406+00
sb_352Zy0R0lnjygwNuM2qMg	K3ZQ2F2JB5TRLBZVTMWF2UK4XR	2026-11-23 13:02:49.279557+00
sb_352Zy0R0lnjygwNuM2qMg	KFDDTRQCHIYGRU6UOAHMSDMORK	2026-11-23 13:02:49.217476+00
sb_352Zy0R0lnjygwNuM2qMg	KTKFAFBPBD7JH4YJVTMLNXN564	2026-11-23 13:02:49.558849+00
sb_352Zy0R0lnjygwNuM2qMg	KXLQXWWATF5A2MNUCYWENDL4SF	2026-11-23 13:02:49.43869+00
sb_352Zy0R0lnjygwNuM2qMg	L2LRFTLBXFO676N7LMNCV5H6SO	2026-11-23 13:02:49.47069+00
sb_352Zy0R0lnjygwNuM2qMg	L5ZDBI7N3ASSF2UGGAY5X3IKC7	2026-11-23 13:02:49.450002+00
sb_352Zy0R0lnjygwNuM2qMg	LAYUX6DZG4HY7C7NUMFKJGVSCZ	2026-11-23 13:02:49.556387+00
sb_352Zy0R0lnjygwNuM2qMg	LFE2NG5HNVSZ5ELRQZOB4O22HU	2026-11-23 13:02:48.19385+00
sb_352Zy0R0lnjygwNuM2qMg	LG3LHVZDR4MNYCHZKRVRZR5PFS	2026-11-23 13:02:49.530969+00
sb_352Zy0R0lnjygwNuM2qMg	LPTBCGNC56TB5DXCUNR6I6YR34	2026-11-23 13:02:44.833848+00
sb_352Zy0R0lnjygwNuM2qMg	LSOKOYQOJJTNC4VOA4EUYIY6IB	2026-11-23 13:02:49.493763+00
sb_352Zy0R0lnjygwNuM2qMg	M35P54ROUTGW3I4GAFU5LL3ZUO	2026-11-23 13:02:45.033188+00
sb_352Zy0R0lnjygwNuM2qMg	M5ZHAN2JZ5Y5MGCFAXNPTSJ7VF	2026-11-23 13:02:49.224579+00
sb_352Zy0R0lnjygwNuM2qMg	MA4MGAZ6LFVNAV6P4ZR34M3ORI	2026-11-23 13:02:49.269267+00
sb_352Zy0R0lnjygwNuM2qMg	MBK7KVAF2CBRO6GFU7Z2YYUUJO	2026-11-23 13:02:49.363036+00
sb_352Zy0R0lnjygwNuM2qMg	MI45QCGFINTRVIKMEJVY66NATN	2026-11-23 13:02:49.452731+00
sb_352Zy0R0lnjygwNuM2qMg	MV7QQKY2QBXXFR4WDNPFWQKFDN	2026-11-23 13:02:49.358404+00
sb_352Zy0R0lnjygwNuM2qMg	MXBBZKRD5OUT7F6NFNH6HMTLX2	2026-11-23 13:02:49.231151+00
sb_352Zy0R0lnjygwNuM2qMg	N7CPKVBAON73ZQT2YIMP7UQKTO	2026-11-23 13:02:44.652075+00
sb_352Zy0R0lnjygwNuM2qMg	NAEBCCQ622HB2T2QNE6ZNQK3DV	2026-11-23 13:02:48.622996+00
sb_352Zy0R0lnjygwNuM2qMg	NFWXOP7FEYCVBSBYGLQIKRZ6R4	2026-11-23 13:02:49.487379+00
sb_352Zy0R0lnjygwNuM2qMg	NJLDAHAHYGZ6OAD4OWYPJ7EHDL	2026-11-23 13:02:49.274228+00
sb_352Zy0R0lnjygwNuM2qMg	NNZKHTTRREE575Z75XFSA3NQAY	2026-11-23 13:02:49.542261+00
sb_352Zy0R0lnjygwNuM2qMg	NTNZERDFCTKVQGKAR362OKTMKS	2026-11-23 13:02:49.554648+00
sb_352Zy0R0lnjygwNuM2qMg	NYRORZUYPAIUPXBXGYNIYIV7IK	2026-11-23 13:02:49.474217+00
sb_352Zy0R0lnjygwNuM2qMg	OBMKE75VLHAMRV6GQC2RMVOAPL	2026-11-23 13:02:49.048242+00
sb_352Zy0R0lnjygwNuM2qMg	OIO6EHNQDTRKLEQOOA3OLIISEY	2026-11-23 13:02:49.30357+00
sb_352Zy0R0lnjygwNuM2qMg	OVRXVOODO5CA5Z37MITRLRWRPX	2026-11-23 13:02:49.53634+00
sb_352Zy0R0lnjygwNuM2qMg	PXEQCNQLRCOND2IXXUUSBYDID3	2026-11-23 13:02:48.156871+00
sb_352Zy0R0lnjygwNuM2qMg	PZGZBUGETYEJRT65RQ34HT4DRO	2026-11-23 13:02:48.547921+00
sb_352Zy0R0lnjygwNuM2qMg	QJLCVOHEC726WVRLPNJSTTTTF4	2026-11-23 13:02:49.520152+00
sb_352Zy0R0lnjygwNuM2qMg	QMHDEU66QAVZOQOXN7DQ7UEZEZ	2026-11-23 13:02:49.3553+00
sb_352Zy0R0lnjygwNuM2qMg	QORR2E7SXVQNN665P6X2YX6OIL	2026-11-23 13:02:48.69734+00
sb_352Zy0R0lnjygwNuM2qMg	QSVBOAAFQ6GSL2V2MDJIORZZQP	2026-11-23 13:02:49.443961+00
sb_352Zy0R0lnjygwNuM2qMg	QU32N7OUFXA6P3QCGITCIRANW3	2026-11-23 13:02:48.321986+00
sb_352Zy0R0lnjygwNuM2qMg	QVQBW6RAUT7RRBDMM37OYVF5H6	2026-11-23 13:02:49.360609+00
sb_352Zy0R0lnjygwNuM2qMg	QZPZJWHL5ZB374AKRDY3SZQL3S	2026-11-23 13:02:49.251843+00
sb_352Zy0R0lnjygwNuM2qMg	RGKMSZEGX6X5YB77X7QINHDIHG	2026-11-23 13:02:48.337932+00
sb_352Zy0R0lnjygwNuM2qMg	RKO2SHRK4PADHXR7OEWVXKIQE7	2026-11-23 13:02:49.53834+00
sb_352Zy0R0lnjygwNuM2qMg	RQS4CLGCX5W5KI5Z6YIXZPMD2I	2026-11-23 13:02:48.364836+00
sb_352Zy0R0lnjygwNuM2qMg	RWRZ6CXZSGTRCVGGI2EFIBO5LJ	2026-11-23 13:02:49.544464+00
sb_352Zy0R0lnjygwNuM2qMg	RXSS2NOK3FB4YQ4IPCONVIXEHC	2026-11-23 13:02:48.277753+00
sb_352Zy0R0lnjygwNuM2qMg	S2GBRMLQZ7HIA5YS42BCC3KTD4	2026-11-23 13:02:49.073093+00
sb_352Zy0R0lnjygwNuM2qMg	S4AOT2QNV2GLGSN5X5TDMUOGCO	2026-11-23 13:02:49.44798+00
sb_352Zy0R0lnjygwNuM2qMg	S55JHUKUTERTHAXRPRW6JPS3OU	2026-11-23 13:02:49.468859+00
sb_352Zy0R0lnjygwNuM2qMg	SDTUZT22XDGUAKNTVXBG42HT2C	2026-11-23 13:02:49.532563+00
sb_352Zy0R0lnjygwNuM2qMg	SHWT54RHOSUN5TC7FUWOOCE3KR	2026-11-23 13:02:44.868674+00
sb_352Zy0R0lnjygwNuM2qMg	SMSTRM7SCTF5MD5DQB33VY4NML	2026-11-23 13:02:44.634198+00
sb_352Zy0R0lnjygwNuM2qMg	TAYYKZU6OCOMZYXHPZ2C24YG4D	2026-11-23 13:02:49.299067+00
sb_352Zy0R0lnjygwNuM2qMg	TCVVTUEGOP45S3SSLKDCM75NPA	2026-11-23 13:02:49.552232+00
sb_352Zy0R0lnjygwNuM2qMg	TH6OV6JTTWPFAMPSBOVKQYSNAT	2026-11-23 13:02:44.893336+00
sb_352Zy0R0lnjygwNuM2qMg	TJHW6A2BUKLPLCKXHL6DGXZZTE	2026-11-23 13:02:48.134233+00
sb_352Zy0R0lnjygwNuM2qMg	TKH32TLQIPX23VHLUEW6DDTHGI	2026-11-23 13:02:49.446145+00
sb_352Zy0R0lnjygwNuM2qMg	TKP2YZ3GAGAC44WBAZRZM53KB5	2026-11-23 13:02:48.12529+00
sb_352Zy0R0lnjygwNuM2qMg	TYFTGMX5UNN5SVP5QU4SGXSDTX	2026-11-23 13:02:44.771553+00
sb_352Zy0R0lnjygwNuM2qMg	TZYGYO4T7PQQFBM2L57R5U2MGO	2026-11-23 13:02:49.563083+00
sb_352Zy0R0lnjygwNuM2qMg	U3MY4S6X2BWWHFHXGK7QQCUYGI	2026-11-23 13:02:48.772923+00
sb_352Zy0R0lnjygwNuM2qMg	U3SN3LBWTO7DIOGE3VFAQUL2KF	2026-11-23 13:02:49.346787+00
sb_352Zy0R0lnjygwNuM2qMg	UDUVGBIAI2TNOXLQZDAVV7TOTG	2026-11-23 13:02:48.142049+00
sb_352Zy0R0lnjygwNuM2qMg	UHTYSYOSGMYDN3C35RH2SAAXIX	2026-11-23 13:02:49.480226+00
sb_352Zy0R0lnjygwNuM2qMg	UJ6CTV3K7SHDANAWGVC5HZIUPO	2026-11-23 13:02:48.998149+00
sb_352Zy0R0lnjygwNuM2qMg	UJPDKBDWW2TBPMKRRGSV7DLLBY	2026-11-23 13:02:49.17241+00
sb_352Zy0R0lnjygwNuM2qMg	UQ4E7G5G6QBFIP4XVVVT7BVH74	2026-11-23 13:02:48.162626+00
sb_352Zy0R0lnjygwNuM2qMg	UR4PJNMNITYJH22BP54VAEIU4U	2026-11-23 13:02:49.546555+00
sb_352Zy0R0lnjygwNuM2qMg	VCI27FFQLKTQDRQHEVVHR2PKJB	2026-11-23 13:02:49.286397+00
sb_352Zy0R0lnjygwNuM2qMg	VEKEU454EAR62YRMWOUGA5OO63	2026-11-23 13:02:48.283936+00
sb_352Zy0R0lnjygwNuM2qMg	VWHUFPXRB4EUJS7BJNNHEGSQVB	2026-11-23 13:02:49.023292+00
sb_352Zy0R0lnjygwNuM2qMg	VX7GERDKOQ2DZVDBDGPZLPNBGA	2026-11-23 13:02:49.281683+00
sb_352Zy0R0lnjygwNuM2qMg	VYXZC4YOT44AIKTH62CG2UJUF3	2026-11-23 13:02:44.981383+00
sb_352Zy0R0lnjygwNuM2qMg	WECIJL3LIZJ22WRANTCRTWJ57H	2026-11-23 13:02:49.340547+00
sb_352Zy0R0lnjygwNuM2qMg	WGYT3TPV4IZTGNBETKZ4PHDI2A	2026-11-23 13:02:49.521823+00
sb_352Zy0R0lnjygwNuM2qMg	WLRYUHGYTDMYUHZ6ZOFB4PHBIG	2026-11-23 13:02:45.026667+00
sb_352Zy0R0lnjygwNuM2qMg	WUAKTAU2LJ6EL3UA4L6MB5PJBG	2026-11-23 13:02:48.331825+00
sb_352Zy0R0lnjygwNuM2qMg	WZKACLKNEJZI5F6H6SFCYC36PH	2026-11-23 13:02:48.168196+00
sb_352Zy0R0lnjygwNuM2qMg	XEJ76VMZWZ3QZSUW63LELH6ZDL	2026-11-23 13:02:49.518493+00
sb_352Zy0R0lnjygwNuM2qMg	XJLS2OUZTYYD7FPRPXY4WTVEKQ	2026-11-23 13:02:49.512468+00
sb_352Zy0R0lnjygwNuM2qMg	XRNGTKKKTBA3RATCOIRDECSM7O	2026-11-23 13:02:44.883683+00
sb_352Zy0R0lnjygwNuM2qMg	XVOUYY2B2GTLZAXVNL745NON5D	2026-11-23 13:02:49.436447+00
sb_352Zy0R0lnjygwNuM2qMg	YBS3HKC72LVPLCJOTT3AKDLPWP	2026-11-23 13:02:49.502279+00
sb_352Zy0R0lnjygwNuM2qMg	YFCWZXRFAKQUU33RVHAPUFCOHH	2026-11-23 13:02:49.505863+00
sb_352Zy0R0lnjygwNuM2qMg	YIFCZ5OQUT4L5SVWMRA4TJYKOG	2026-11-23 13:02:49.326419+00
sb_352Zy0R0lnjygwNuM2qMg	YKQJ6KA72KPWY5G6T6ARJV7LD3	2026-11-23 13:02:48.6478+00
sb_352Zy0R0lnjygwNuM2qMg	YPZ4JEY2HBMUYO4Z237ZXPAOPS	2026-11-23 13:02:44.286355+00
sb_352Zy0R0lnjygwNuM2qMg	YR737GJAM3347WRY2DA4PAHSN2	2026-11-23 13:02:48.947447+00
sb_352Zy0R0lnjygwNuM2qMg	YZFETYQYRCQ4X4ZF5RUBKBFIO6	2026-11-23 13:02:48.722967+00
sb_352Zy0R0lnjygwNuM2qMg	Z3CSOXQY6H7KIWZFMQGOEWGNLS	2026-11-23 13:02:49.12364+00
sb_352Zy0R0lnjygwNuM2qMg	ZA2ECV5DERIZE34OR2L4PE6SYI	2026-11-23 13:02:49.322745+00
sb_352Zy0R0lnjygwNuM2qMg	ZDBWEWPSXEXG4IWLFHNIABQOF4	2026-11-23 13:02:49.31686+00
sb_352Zy0R0lnjygwNuM2qMg	ZFXURUCMAIDKKJFXZTKMO24AEX	2026-11-23 13:02:49.523089+00
sb_352Zy0R0lnjygwNuM2qMg	ZNESQUULT4KC526LGIJULRIWYR	2026-11-23 13:02:49.290999+00
sb_352Zy0R0lnjygwNuM2qMg	ZODAFTOKTWQWAPUMEQQKLCTTR4	2026-11-23 13:02:48.897309+00
sb_352Zy0R0lnjygwNuM2qMg	ZSWCDQFFQZA7GPSGEDIIRXWZV7	2026-11-23 13:02:49.529534+00
sb_352Zy0R0lnjygwNuM2qMg	ZURGDMHWLKQP4OM24NNMSH7LMO	2026-11-23 13:02:49.426186+00
sb_352Zy0UQNDvTBo27bOkCZ	OXI7ZFKM7TNW6WNH4WTB56HOS5	2026-11-23 13:02:49.268342+00
sb_352Zy0UQNDvTBo27bOkCZ	RR3Z5UEQB77PHHBDZYBOV6PDR5	2026-11-23 13:02:49.2648+00
sb_352Zy0XXeVbvFyQb1WYOe	MJN7QZWEHM7ZU3C5YQ7DNHZOCA	2026-11-23 13:02:49.266315+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a20872-afbe-7a74-908f-cced9522544c	Fictional Acquirer	2026-11-23 12:47:43.55+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a20872-b338-72d1-8430-746243ab2371	01a20872-b338-7176-ad72-f5908ac5f2e0	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-23 12:47:44.436+00	2026-11-23 12:47:44.436+00
01a20872-b338-72e3-afc0-141c062a938e	01a20872-b338-7176-ad72-f5908ac5f2e0	Bo	Imagined	US	66.67	\N	\N	2026-11-23 12:47:44.436+00	2026-11-23 12:47:44.742+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20872-b0aa-7900-9e8c-787a1c5a413e	01a20872-afdf-71c9-9726-b485fcac2492	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	500000	2026-11-23 12:47:43.784+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a20872-b3d0-7798-aa67-bacb39b075be	01a20872-b349-77fa-8b02-31a6c530b54c	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352Zy1jEfpATzztPAAtVI	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.636+00
01a20872-b3d0-77b7-b626-c6263e004777	01a20872-b349-77fa-8b02-31a6c530b54c	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352Zy1jEfpATzztPAAtVI	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.689+00
01a20872-b3d0-77c1-83eb-b988e63e82bb	01a20872-b349-77fa-8b02-31a6c530b54c	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.589+00
01a20872-b3d0-77cd-a1cd-a1e9b9891e5d	01a20872-b349-77fa-8b02-31a6c530b54c	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.589+00
01a20872-b3d0-77d5-ac7e-a0e08432c3e4	01a20872-b349-77fa-8b02-31a6c530b54c	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352Zy1ktZUU4mASSoaYgO	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.589+00
01a20872-b3d0-77df-8b25-041ab4cdd2ea	01a20872-b349-77fa-8b02-31a6c530b54c	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352Zy1jEho7Z1eVsuAGOn": {"ownership_percentage": 33.33}, "p_352Zy1jEhuYvAxxGPTJUM": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352Zy1jEho7Z1eVsuAGOn is 33.33, at least 25; and the ownership percentage of person p_352Zy1jEhuYvAxxGPTJUM is 66.67, at least 25.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.589+00
01a20872-b3d0-77e4-bfa1-59c51c478587	01a20872-b349-77fa-8b02-31a6c530b54c	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352Zy1jEho7Z1eVsuAGOn	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352Zy1jEho7Z1eVsuAGOn": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352Zy1jEho7Z1eVsuAGOn is DE, not US; and the ownership percentage of person p_352Zy1jEho7Z1eVsuAGOn is 33.33, at least 25.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.589+00
01a20872-b3d0-77eb-9463-da7f80623fcc	01a20872-b349-77fa-8b02-31a6c530b54c	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352Zy1jEhuYvAxxGPTJUM	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352Zy1jEhuYvAxxGPTJUM": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_352Zy1jEhuYvAxxGPTJUM is NO, not US; and the ownership percentage of person p_352Zy1jEhuYvAxxGPTJUM is 66.67, at least 25.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.852+00
01a20872-b544-764c-87c9-a4b9379a1bc9	01a20872-b4f8-7271-b270-36a2b35c4fa2	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-765e-9822-77e34d078c35	01a20872-b4f8-7271-b270-36a2b35c4fa2	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-7665-8526-e905ab9c15bf	01a20872-b4f8-7271-b270-36a2b35c4fa2	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-766c-b1c2-4dfebc980fa0	01a20872-b4f8-7271-b270-36a2b35c4fa2	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-7670-86fb-8963b8c80d9c	01a20872-b4f8-7271-b270-36a2b35c4fa2	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352Zy2QuIvGkHebMb4F2w	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-767f-ba80-18d8dd376b5f	01a20872-b4f8-7271-b270-36a2b35c4fa2	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352Zy1jEfpATzztPAAtVI	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352Zy1jEho7Z1eVsuAGOn": {"ownership_percentage": 33.33}, "p_352Zy1jEhuYvAxxGPTJUM": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352Zy1jEho7Z1eVsuAGOn is 33.33, at least 25; and the ownership percentage of person p_352Zy1jEhuYvAxxGPTJUM is 66.67, at least 25.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
01a20872-b544-7687-b55d-7b365804f24b	01a20872-b4f8-7271-b270-36a2b35c4fa2	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352Zy1jEho7Z1eVsuAGOn	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352Zy1jEho7Z1eVsuAGOn": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352Zy1jEho7Z1eVsuAGOn is DE, not US; and the ownership percentage of person p_352Zy1jEho7Z1eVsuAGOn is 33.33, at least 25.", "version_id": "rul_352Zy1iSKNB15dezUbqJw"}]	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.962+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20872-b300-7197-a11b-542babbb84d0	01a20872-afdf-71c9-9726-b485fcac2492	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	500000	2026-11-23 12:47:44.373+00	back office
01a20872-b330-71a3-971d-dfd5a515eb3c	01a20872-afdf-71c9-9726-b485fcac2492	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	500000	2026-11-23 12:47:44.429+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a20872-b20d-7bd1-a270-d92d8ca68396	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"key_id": "whk_20261123_01", "status": "INACTIVE", "created_at": "2026-11-23T12:47:44.141Z"}	2026-11-23 12:47:44.183+00
01a20872-b259-7341-964d-250723276e12	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"key_id": "whk_20261123_01", "status": "ACTIVE", "activated_at": "2026-11-23T12:47:44.225Z"}	2026-11-23 12:47:44.225+00
01a20872-b358-7a45-b3e6-637267326ee9	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"evaluation_score": 600.375}	2026-11-23 12:47:44.505+00
01a20872-b3a6-7d22-9efb-5bbe56ec6e70	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy1y3TUXvOP2zT35hb"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy1y3TYqEdkSkUW153"}, {"status": "PENDING", "entity_id": "w_352Zy1ktZUU4mASSoaYgO", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy1y3Tbgz0REFEro3A"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy1y3TfBuIwINbOHlK"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3Th2J5v86Vnkm7"}, {"status": "PENDING", "entity_id": "p_352Zy1jEhuYvAxxGPTJUM", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}]}	2026-11-23 12:47:44.589+00
01a20872-b48d-75d1-9194-dda01e2e2a6b	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"evaluation_score": 600.375}	2026-11-23 12:47:44.814+00
01a20872-b4c9-7d07-8885-91bc665906d7	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}, {"status": "COMPLETED", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy1y3TUXvOP2zT35hb"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy1y3TYqEdkSkUW153"}, {"status": "PENDING", "entity_id": "w_352Zy1ktZUU4mASSoaYgO", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy1y3Tbgz0REFEro3A"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy1y3TfBuIwINbOHlK"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3Th2J5v86Vnkm7"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352Zy1jEhuYvAxxGPTJUM", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}]}	2026-11-23 12:47:44.852+00
01a20872-b502-7043-b065-0596b0d890c3	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"evaluation_score": 600.375}	2026-11-23 12:47:44.914+00
01a20872-b530-7ef4-9585-7742c68f18f3	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy2YJinGjGEK8knDc9"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy2YJitfkYEht5T5WP"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy2YJiw7yHTtQcVNKZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy2YJiyfeUsFxHKzWS"}, {"status": "PENDING", "entity_id": "w_352Zy2QuIvGkHebMb4F2w", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy2YJj01tWjZY94s9c"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy2YJj5Pzz8A0UcN7X"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy2YJj8FO6eR7yQ9gh"}]}	2026-11-23 12:47:44.962+00
01a20872-c1e8-75a0-b44a-e916de30e3dc	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"count": 10}	2026-11-23 12:47:48.263+00
01a20872-c1e8-75a0-b44a-e916de30e3dc/0	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"at": "2026-11-23T12:47:48.217Z", "count": 5}	2026-11-23 12:47:48.21+00
01a20872-c1e8-75a0-b44a-e916de30e3dc/1	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"count": 5}	2026-11-23 12:47:48.219+00
01a20872-c1e8-75a0-b44a-e916de30e3dc/2	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"count": 0}	2026-11-23 12:47:48.23+00
01a20872-c278-7f1b-8b9f-41a387975c70	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"key_id": "whk_20261123_02", "status": "INACTIVE", "created_at": "2026-11-23T12:47:48.345Z"}	2026-11-23 12:47:48.351+00
01a20872-c293-7933-a9f7-4e16838645bb	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"key_id": "whk_20261123_02", "status": "ACTIVE", "activated_at": "2026-11-23T12:47:48.378Z"}	2026-11-23 12:47:48.378+00
01a20872-c2af-7ce4-aca3-dd7bc37f1c53	01a20872-afbe-7a74-908f-cced9522544c	sandbox	{"key_id": "whk_20261123_03", "status": "INACTIVE", "created_at": "2026-11-23T12:47:48.399Z"}	2026-11-23 12:47:48.407+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a20872-b338-72e7-9b39-55973ab76553	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a20872-b338-72e7-9b39-55973ab76553	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a20872-b338-72e7-9b39-55973ab76553	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a20872-b338-72e7-9b39-55973ab76553	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a20872-b338-72e7-9b39-55973ab76553	01a20872-b338-7176-ad72-f5908ac5f2e0	2026-11-23 12:47:44.436+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-23 12:47:43.424544+00
reconcile	2026-11-23 12:47:43.424544+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a20872-b2c6-771a-8136-70e0e67ea9b0	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.394+00	1	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b34a-75b5-8caa-758300f08236	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.486+00	1	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b34a-75b6-a204-846743712940	1	01a20872-b2b4-761c-bbde-ec20c361e6e9	FAILED	whk_20261123_01	2026-11-23 12:47:44.486+00	1	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b34a-75d7-bb84-7858fc16cbec	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.486+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b34a-75d8-b5da-c046a4bdab30	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	FAILED	whk_20261123_01	2026-11-23 12:47:44.486+00	2	\N	the connection was closed before the whole answer had come		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b34a-75d8-b5da-c046a4bdab30	2	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.264+00	0	204	\N		127.0.0.1:37881	f	1	whc_352Zy1UuWGVt4nHDiuYHl	fa8656a4-506e-442c-97b2-45821a7fc08c	26
01a20872-b37d-727b-ad69-d5ac73482006	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.531+00	1	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b3d0-7a2c-a0c8-5c50b87c88c8	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.6+00	3	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b407-7ccf-8637-519c22f7e34a	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.755+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b429-7e0b-b8a5-7a6fbdc33fa9	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.755+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b439-70ce-b274-620311efd6fc	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.755+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b459-7cb7-aaf9-aa239d2551b3	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.755+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4b1-70f3-ba6a-4dae772be3d3	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.824+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4d8-7b77-b1f0-a970ded2155b	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.863+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4e8-7aa8-a0ab-0804fb9f74fa	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.881+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4e8-7aa9-89e9-d35da63c9c87	1	01a20872-b2b4-761c-bbde-ec20c361e6e9	FAILED	whk_20261123_01	2026-11-23 12:47:44.881+00	0	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4ef-7b46-bab7-9874c93cfe67	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.898+00	2	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4ef-7b48-93da-905e0d4b5c59	1	01a20872-b2b4-761c-bbde-ec20c361e6e9	FAILED	whk_20261123_01	2026-11-23 12:47:44.898+00	3	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4ef-7b60-a7a4-ee4331cdbfc5	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.898+00	4	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4ef-7b61-8802-606a4a45d57c	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	FAILED	whk_20261123_01	2026-11-23 12:47:44.898+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4ef-7b61-8802-606a4a45d57c	2	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.264+00	0	204	\N		127.0.0.1:37881	f	1	whc_352Zy1UuWGVt4nHDiuYHl	fa8656a4-506e-442c-97b2-45821a7fc08c	26
01a20872-b4f9-714a-8aa1-90dd487e1e2b	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.898+00	2	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4f9-714b-b8e6-6645ddd1ac5e	1	01a20872-b2b4-761c-bbde-ec20c361e6e9	FAILED	whk_20261123_01	2026-11-23 12:47:44.898+00	2	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4f9-7162-ad55-defeca933464	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.898+00	2	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4f9-7163-a23c-4ff467d75f22	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	FAILED	whk_20261123_01	2026-11-23 12:47:44.898+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b4f9-7163-a23c-4ff467d75f22	2	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.264+00	0	204	\N		127.0.0.1:37881	f	1	whc_352Zy1UuWGVt4nHDiuYHl	fa8656a4-506e-442c-97b2-45821a7fc08c	26
01a20872-b513-7dea-832d-541e90d55e53	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.93+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b544-77aa-b811-224abbef4246	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.975+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b560-73c6-8ed1-aa5feb3ca202	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:44.994+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b560-73c6-8ed1-aa5feb3ca202	2	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_02	2026-11-23 12:47:49.179+00	0	204	\N		127.0.0.1:37881	f	0	whc_352Zy1TFhJuFNoEFfVEnR	35926ec6-99eb-4e9a-bc2e-1df7df3e8845	6
01a20872-b560-73c7-a551-52c400bd287b	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:45.012+00	0	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b560-73c8-8cd6-d6e36b803c8a	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	FAILED	whk_20261123_01	2026-11-23 12:47:44.994+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b560-73c8-8cd6-d6e36b803c8a	2	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.264+00	0	204	\N		127.0.0.1:37881	f	1	whc_352Zy1UuWGVt4nHDiuYHl	fa8656a4-506e-442c-97b2-45821a7fc08c	26
01a20872-b58d-7804-b1fd-c49f76da9ae6	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:45.043+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b58d-7805-9437-1663dbe1b904	1	01a20872-b2b4-761c-bbde-ec20c361e6e9	FAILED	whk_20261123_01	2026-11-23 12:47:45.043+00	0	503	\N	\N	127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b58d-782b-9f0b-bec1725485d0	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:45.043+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b58d-782d-a5b2-26714b4fda73	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	FAILED	whk_20261123_01	2026-11-23 12:47:45.043+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b58d-782d-a5b2-26714b4fda73	2	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.264+00	0	204	\N		127.0.0.1:37881	f	1	whc_352Zy1UuWGVt4nHDiuYHl	fa8656a4-506e-442c-97b2-45821a7fc08c	26
01a20872-b59b-7bee-bfa8-bf133800b96e	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:45.078+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-b5a9-7594-be27-1bcabb151c22	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:45.078+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy1ZOSji9OkswhS7MB	01a20872-b2d5-740a-9e6e-33de32092296	
01a20872-c1a1-7370-8933-7b882c46dba7	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.231+00	0	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1a4-7d3d-a026-d45e5f5e92fe	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.231+00	1	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1a7-7745-bd87-e6c7b041a86e	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.231+00	0	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1aa-733d-9dbc-c5c04f45efec	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.231+00	0	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1ac-79ec-803d-4d05f46b82fa	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.231+00	0	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1b2-7b72-964d-712209ca637d	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:48.159+00	1	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1b5-7888-a297-0f1af9cf1e5d	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:48.159+00	0	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1ba-79f4-aae7-de33496793bd	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:48.159+00	1	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1bf-75be-bc40-c21520761700	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:48.174+00	0	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1c4-76e1-918a-92e231768365	1	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	FAILED	whk_20261123_01	2026-11-23 12:47:48.174+00	0	503	\N	down for maintenance\n	127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c1d0-7a54-944f-0576feb70fd5	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.193+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c20c-7ec4-b889-28236f4151c3	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.257+00	1	204	\N		127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c237-7ecb-ae09-54c0f756342a	1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.284+00	0	204	\N		127.0.0.1:37881	f	1	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c26f-729d-8677-610eaebba219	1	01a20872-b2b9-79b5-8b17-f5da76460639	SUCCEEDED	whk_20261123_01	2026-11-23 12:47:48.34+00	0	204	\N		127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
01a20872-c29c-7b35-a941-580c76467c51	1	01a20872-b294-7a03-8fa4-ad6bf13aba69	SUCCEEDED	whk_20261123_02	2026-11-23 12:47:48.388+00	1	204	\N		127.0.0.1:37881	f	0	send/352Zy7YnKCvqebEGPnWV0	01a20872-c1b7-7959-8ca3-54dfe2c95a22	
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a20872-b2c6-771a-8136-70e0e67ea9b0	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b2c6-7731-a894-d9faaecd82e0	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.322+00	2026-11-23 12:47:44.427+00
01a20872-b34a-75b5-8caa-758300f08236	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b34a-75af-9b99-e15f50a22d71	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.455+00	2026-11-23 12:47:44.514+00
01a20872-b34a-75b6-a204-846743712940	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b34a-75af-9b99-e15f50a22d71	01a20872-b2b4-761c-bbde-ec20c361e6e9	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 12:47:44.455+00	2026-11-23 12:47:48.317+00
01a20872-b34a-75d7-bb84-7858fc16cbec	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b34a-75d5-a456-c45749ba49b1	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.455+00	2026-11-23 12:47:44.505+00
01a20872-b34a-75d8-b5da-c046a4bdab30	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b34a-75d5-a456-c45749ba49b1	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 12:47:44.455+00	2026-11-23 12:47:48.272+00
01a20872-b37d-727b-ad69-d5ac73482006	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b37d-7274-8137-08cdb53ba1c1	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.505+00	2026-11-23 12:47:44.541+00
01a20872-b3d0-7a2c-a0c8-5c50b87c88c8	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b3d0-7a29-9eb7-52bd2098e9f0	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.589+00	2026-11-23 12:47:44.609+00
01a20872-b407-7ccf-8637-519c22f7e34a	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b407-7cc9-a078-1180ab55a05b	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.636+00	2026-11-23 12:47:44.793+00
01a20872-b429-7e0b-b8a5-7a6fbdc33fa9	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b429-7e06-9438-9ebed8b4ccb6	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.661+00	2026-11-23 12:47:44.78+00
01a20872-b439-70ce-b274-620311efd6fc	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b439-70cc-8eda-ba423ace83fb	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.689+00	2026-11-23 12:47:44.793+00
01a20872-b459-7cb7-aaf9-aa239d2551b3	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b459-7cb3-bc25-ddd0e935e329	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.723+00	2026-11-23 12:47:44.793+00
01a20872-b4b1-70f3-ba6a-4dae772be3d3	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4b1-70ed-8147-79d614b9283b	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.814+00	2026-11-23 12:47:44.829+00
01a20872-b4d8-7b77-b1f0-a970ded2155b	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4d8-7b75-b4a2-35982b89e933	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.852+00	2026-11-23 12:47:44.87+00
01a20872-b4e8-7aa8-a0ab-0804fb9f74fa	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4e8-7aa6-a043-d387fe68bfbf	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.869+00	2026-11-23 12:47:44.885+00
01a20872-b4e8-7aa9-89e9-d35da63c9c87	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4e8-7aa6-a043-d387fe68bfbf	01a20872-b2b4-761c-bbde-ec20c361e6e9	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 12:47:44.869+00	2026-11-23 12:47:48.318+00
01a20872-b4ef-7b46-bab7-9874c93cfe67	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4ef-7b41-8469-05dea164e261	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.876+00	2026-11-23 12:47:44.906+00
01a20872-b4ef-7b48-93da-905e0d4b5c59	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4ef-7b41-8469-05dea164e261	01a20872-b2b4-761c-bbde-ec20c361e6e9	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 12:47:44.876+00	2026-11-23 12:47:48.318+00
01a20872-b4ef-7b60-a7a4-ee4331cdbfc5	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4ef-7b5f-95f9-960260ee950b	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.876+00	2026-11-23 12:47:44.909+00
01a20872-b4ef-7b61-8802-606a4a45d57c	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4ef-7b5f-95f9-960260ee950b	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 12:47:44.876+00	2026-11-23 12:47:48.272+00
01a20872-b4f9-714a-8aa1-90dd487e1e2b	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4f9-7148-8a48-c751a6dbd29e	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.886+00	2026-11-23 12:47:44.906+00
01a20872-b4f9-714b-b8e6-6645ddd1ac5e	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4f9-7148-8a48-c751a6dbd29e	01a20872-b2b4-761c-bbde-ec20c361e6e9	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 12:47:44.886+00	2026-11-23 12:47:48.318+00
01a20872-b4f9-7162-ad55-defeca933464	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4f9-7161-a036-6773090dcd32	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.886+00	2026-11-23 12:47:44.906+00
01a20872-b4f9-7163-a23c-4ff467d75f22	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b4f9-7161-a036-6773090dcd32	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 12:47:44.886+00	2026-11-23 12:47:48.272+00
01a20872-b513-7dea-832d-541e90d55e53	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b513-7de6-8c59-e68601b22fa2	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.914+00	2026-11-23 12:47:44.936+00
01a20872-b544-77aa-b811-224abbef4246	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b544-77a9-b198-dd61ab5f574b	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:44.962+00	2026-11-23 12:47:44.981+00
01a20872-b560-73c6-8ed1-aa5feb3ca202	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b560-73c2-af16-889abcd9dc1c	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-23 12:47:44.989+00	2026-11-23 12:47:49.183+00
01a20872-b560-73c7-a551-52c400bd287b	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b560-73c2-af16-889abcd9dc1c	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	1	2026-11-23 12:48:00.015+00	\N	HTTP 503	2026-11-23 12:47:44.989+00	2026-11-23 12:47:45.015+00
01a20872-b560-73c8-8cd6-d6e36b803c8a	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b560-73c2-af16-889abcd9dc1c	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 12:47:44.989+00	2026-11-23 12:47:48.272+00
01a20872-b560-73c9-ac6b-af4141e08038	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b560-73c2-af16-889abcd9dc1c	01a20872-b2be-7003-8dbe-ba7a7c74ab71	f	f	HELD	0	0	\N	\N	\N	2026-11-23 12:47:44.989+00	2026-11-23 12:47:44.993+00
01a20872-b58d-7804-b1fd-c49f76da9ae6	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b58d-7800-8a5f-f4143050bf04	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:45.034+00	2026-11-23 12:47:45.064+00
01a20872-b58d-7805-9437-1663dbe1b904	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b58d-7800-8a5f-f4143050bf04	01a20872-b2b4-761c-bbde-ec20c361e6e9	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 12:47:45.034+00	2026-11-23 12:47:48.318+00
01a20872-b58d-782b-9f0b-bec1725485d0	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b58d-7829-83d0-37f65b7f1759	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:45.034+00	2026-11-23 12:47:45.064+00
01a20872-b58d-782d-a5b2-26714b4fda73	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b58d-7829-83d0-37f65b7f1759	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 12:47:45.034+00	2026-11-23 12:47:48.269+00
01a20872-b59b-7bee-bfa8-bf133800b96e	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b59b-7c02-8bcc-0068963aefe5	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:45.051+00	2026-11-23 12:47:45.083+00
01a20872-b5a9-7594-be27-1bcabb151c22	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b5a9-75ab-92a3-36dc0e739283	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:45.064+00	2026-11-23 12:47:45.081+00
01a20872-c1a1-7370-8933-7b882c46dba7	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1a1-7369-902a-44bfd2f6d894	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.127+00	2026-11-23 12:47:48.236+00
01a20872-c1a4-7d3d-a026-d45e5f5e92fe	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1a4-7d3a-b4f5-590adfe48077	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.132+00	2026-11-23 12:47:48.251+00
01a20872-c1a7-7745-bd87-e6c7b041a86e	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1a7-7743-ae8d-2680c8dc76ef	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.134+00	2026-11-23 12:47:48.251+00
01a20872-c1aa-733d-9dbc-c5c04f45efec	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1aa-733b-89be-ee9948448511	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.137+00	2026-11-23 12:47:48.251+00
01a20872-c1ac-79ec-803d-4d05f46b82fa	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1ac-79ea-8209-6cec6df81ab4	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.14+00	2026-11-23 12:47:48.251+00
01a20872-c1b2-7b72-964d-712209ca637d	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1b2-7b70-b993-fd1d9385dcf2	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	1	2026-11-23 12:48:03.169+00	\N	HTTP 503	2026-11-23 12:47:48.146+00	2026-11-23 12:47:48.169+00
01a20872-c1b5-7888-a297-0f1af9cf1e5d	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1b5-7885-82c0-56567f2ea645	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	1	2026-11-23 12:48:03.164+00	\N	HTTP 503	2026-11-23 12:47:48.149+00	2026-11-23 12:47:48.164+00
01a20872-c1ba-79f4-aae7-de33496793bd	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1ba-79f0-8fc5-b76281893e5e	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	1	2026-11-23 12:48:03.169+00	\N	HTTP 503	2026-11-23 12:47:48.154+00	2026-11-23 12:47:48.169+00
01a20872-c1bf-75be-bc40-c21520761700	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1bf-75ba-8558-8461ed9c25f2	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	1	2026-11-23 12:48:03.176+00	\N	HTTP 503	2026-11-23 12:47:48.158+00	2026-11-23 12:47:48.176+00
01a20872-c1c4-76e1-918a-92e231768365	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1c4-76dd-9210-cbe91e653ff4	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	RETRYING	1	0	2026-11-23 12:47:49.228+00	2026-11-23 12:47:49.228+00	HTTP 503	2026-11-23 12:47:48.163+00	2026-11-23 12:47:49.228+00
01a20872-c1d0-7a54-944f-0576feb70fd5	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c1d0-7a69-814c-7194eb834bae	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.176+00	2026-11-23 12:47:48.197+00
01a20872-c20c-7ec4-b889-28236f4151c3	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c20c-7eda-837f-6c9aa65f5a40	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.236+00	2026-11-23 12:47:48.264+00
01a20872-c237-7ecb-ae09-54c0f756342a	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c237-7ec8-a27c-8fef19e8bb03	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.279+00	2026-11-23 12:47:48.29+00
01a20872-c263-79c3-bf2c-137ec5c8b22a	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c263-79bf-b9f9-196695d7f968	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-23 12:47:48.323+00	2026-11-23 12:47:48.335+00
01a20872-c26f-729d-8677-610eaebba219	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c26f-72b2-ad11-3a6cdf77bcc1	01a20872-b2b9-79b5-8b17-f5da76460639	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.332+00	2026-11-23 12:47:48.344+00
01a20872-c29c-7b35-a941-580c76467c51	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c29c-7b30-a985-9df62fc44cbe	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 12:47:48.378+00	2026-11-23 12:47:48.393+00
01a20872-c5f1-7c0e-a947-f29c2e1d969c	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f1-7c0a-8198-6e7be82b1d52	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	PENDING	0	0	2026-11-23 12:47:49.234+00	\N	\N	2026-11-23 12:47:49.232+00	2026-11-23 12:47:49.234+00
01a20872-c5f1-7c2e-9ce8-cd69cf6f76b1	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f1-7c2d-abda-e48f3566582c	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	PENDING	0	0	2026-11-23 12:47:49.235+00	\N	\N	2026-11-23 12:47:49.232+00	2026-11-23 12:47:49.235+00
01a20872-c5f1-7c2f-b35a-f90715a052ca	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f1-7c2d-abda-e48f3566582c	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	PENDING	0	0	2026-11-23 12:47:49.235+00	\N	\N	2026-11-23 12:47:49.232+00	2026-11-23 12:47:49.235+00
01a20872-c5f7-73d4-bfd7-0beaaf776784	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f7-73cf-a4ab-670acb7e9b34	01a20872-b294-7a03-8fa4-ad6bf13aba69	f	f	PENDING	0	0	2026-11-23 12:47:49.239+00	\N	\N	2026-11-23 12:47:49.237+00	2026-11-23 12:47:49.239+00
01a20872-c5f7-73d5-bace-a8a5e4de2f7f	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f7-73cf-a4ab-670acb7e9b34	01a20872-b2a1-7af8-8328-cbbfc01cfe6b	f	f	PENDING	0	0	2026-11-23 12:47:49.24+00	\N	\N	2026-11-23 12:47:49.237+00	2026-11-23 12:47:49.24+00
01a20872-c5f7-73d6-a8d1-57ed98662471	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f7-73cf-a4ab-670acb7e9b34	01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	f	f	PENDING	0	0	2026-11-23 12:47:49.24+00	\N	\N	2026-11-23 12:47:49.237+00	2026-11-23 12:47:49.24+00
01a20872-c5f7-73d7-992a-5932f375fb87	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-c5f7-73cf-a4ab-670acb7e9b34	01a20872-b2be-7003-8dbe-ba7a7c74ab71	f	f	HELD	0	0	\N	\N	\N	2026-11-23 12:47:49.237+00	2026-11-23 12:47:49.24+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, place, created_at, updated_at, deleted_at) FROM stdin;
01a20872-b294-7a03-8fa4-ad6bf13aba69	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/well	http://127.0.0.1:37881/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-23 12:47:44.274+00	2026-11-23 12:47:44.274+00	\N
01a20872-b2a1-7af8-8328-cbbfc01cfe6b	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/broken	http://127.0.0.1:37881/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-23 12:47:44.288+00	2026-11-23 12:47:44.288+00	\N
01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/recovered	http://127.0.0.1:37881/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-23 12:47:44.293+00	2026-11-23 12:47:44.293+00	\N
01a20872-b2b4-761c-bbde-ec20c361e6e9	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/given-up	http://127.0.0.1:37881/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-23 12:47:44.307+00	2026-11-23 12:47:48.313+00	2026-11-23 12:47:48.313+00
01a20872-b2b9-79b5-8b17-f5da76460639	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/notices	http://127.0.0.1:37881/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-23 12:47:44.312+00	2026-11-23 12:47:44.312+00	\N
01a20872-b2be-7003-8dbe-ba7a7c74ab71	01a20872-afdf-71c9-9726-b485fcac2492	http://127.0.0.1:37881/disabled	http://127.0.0.1:37881/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-23 12:47:44.317+00	2026-11-23 12:47:44.322+00	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a20872-b294-7a03-8fa4-ad6bf13aba69	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-23 12:47:49.072536+00	\N	\N	\N
01a20872-b2a1-7af8-8328-cbbfc01cfe6b	6	2026-11-23 12:47:45.012+00	HTTP 503	2026-11-23 12:47:53.042583+00	0	2026-11-23 12:48:03.182+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-23 12:47:45.012+00	\N	2026-11-23 12:48:00.015+00	2026-11-22 12:47:49.228+00	\N
01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	0	\N	\N	\N	0	\N	2026-11-23 12:47:48.213+00	1	0	f	\N	\N	\N	\N	\N	\N
01a20872-b2b4-761c-bbde-ec20c361e6e9	5	2026-11-23 12:47:44.486+00	HTTP 503	2026-11-23 12:47:49.451525+00	0	2026-11-23 12:48:00.064+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-23 12:47:44.486+00	\N	2026-11-23 12:47:59.514+00	\N	\N
01a20872-b2b9-79b5-8b17-f5da76460639	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a20872-b2be-7003-8dbe-ba7a7c74ab71	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-23 12:47:44.322+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, epoch, xid, traceparent) FROM stdin;
01a20872-b26b-7e40-9f28-a05fa2a2cc4f	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_KEY_ACTIVATED	2026-11-23 12:47:44.225+00	\N	0	back office	API_KEY	{"key_id": "whk_20261123_01"}	f	1	752	00-be65746ea67ce8d76ec1b9e8c14573d2-5de3efbb5ce84467-00
01a20872-b2c6-7731-a894-d9faaecd82e0	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_ENDPOINT_DISABLED	2026-11-23 12:47:44.322+00	\N	0	back office	API_KEY	{"since": "2026-11-23T12:47:44.322Z", "waiting": 0, "url_host": "127.0.0.1:37881", "config_id": "whc_352Zy1XLIeR7B6EzCj8TJ", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	1	767	00-30ae8f5d2a5ddbeec9d07eb69a5c42dd-dfe0688c46f819c2-00
01a20872-b34a-75af-9b99-e15f50a22d71	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:44.455+00	01a20872-b349-77fa-8b02-31a6c530b54c	1	back office	API_KEY	{"state": "CREATED"}	f	1	784	00-73c9285a55db0df1965b3534985cfc61-1445437516a7fd5f-00
01a20872-b34a-75d5-a456-c45749ba49b1	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_STARTED	2026-11-23 12:47:44.455+00	01a20872-b349-77fa-8b02-31a6c530b54c	2	back office	API_KEY	{"state": "STARTED"}	f	1	784	00-73c9285a55db0df1965b3534985cfc61-1445437516a7fd5f-00
01a20872-b37d-7274-8137-08cdb53ba1c1	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_PRICING_CALCULATED	2026-11-23 12:47:44.505+00	01a20872-b349-77fa-8b02-31a6c530b54c	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	788	00-a2de86d27c916696a19738dba47f5f1a-af884830b0b5d8a3-00
01a20872-b3d0-7a29-9eb7-52bd2098e9f0	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 12:47:44.589+00	01a20872-b349-77fa-8b02-31a6c530b54c	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy1y3TUXvOP2zT35hb"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy1y3TYqEdkSkUW153"}, {"status": "PENDING", "entity_id": "w_352Zy1ktZUU4mASSoaYgO", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy1y3Tbgz0REFEro3A"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy1y3TfBuIwINbOHlK"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3Th2J5v86Vnkm7"}, {"status": "PENDING", "entity_id": "p_352Zy1jEhuYvAxxGPTJUM", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}], "removed": [], "restored": []}	f	1	800	00-64ac02df68efd6b1ac5e2280ab9986b9-d8fa4e7a388f9c29-00
01a20872-b407-7cc9-a078-1180ab55a05b	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENT_UPDATED	2026-11-23 12:47:44.636+00	01a20872-b349-77fa-8b02-31a6c530b54c	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}	f	1	807	00-8a647b88c794ab0b6ec1c475198cca7b-52b036297336d84a-00
01a20872-b429-7e06-9438-9ebed8b4ccb6	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENT_UPDATED	2026-11-23 12:47:44.661+00	01a20872-b349-77fa-8b02-31a6c530b54c	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}	f	1	811	00-5e03a17768500f43507652b0d5205ed7-81cf696e381dfc97-00
01a20872-b439-70cc-8eda-ba423ace83fb	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENT_UPDATED	2026-11-23 12:47:44.689+00	01a20872-b349-77fa-8b02-31a6c530b54c	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}	f	1	815	00-16cad4357353587825068d5d88924186-a07c908975490cb7-00
01a20872-b459-7cb3-bc25-ddd0e935e329	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENT_UPDATED	2026-11-23 12:47:44.723+00	01a20872-b349-77fa-8b02-31a6c530b54c	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}	f	1	818	00-80b238ed607d362ecda4ec14f72bf4e5-d9b361d1c524a822-00
01a20872-b4b1-70ed-8147-79d614b9283b	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_PRICING_CALCULATED	2026-11-23 12:47:44.814+00	01a20872-b349-77fa-8b02-31a6c530b54c	9	back office	API_KEY	{"evaluation_score": 600.375}	f	1	829	00-2acb43aac4bf0d627646a63e675d155b-8cb31a65f448445d-00
01a20872-b4d8-7b75-b4a2-35982b89e933	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 12:47:44.852+00	01a20872-b349-77fa-8b02-31a6c530b54c	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy1y3TG46HZV4h6BcU"}, {"status": "COMPLETED", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy1y3TR4Rwv0XvmBaZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy1y3TUXvOP2zT35hb"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy1y3TYqEdkSkUW153"}, {"status": "PENDING", "entity_id": "w_352Zy1ktZUU4mASSoaYgO", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy1y3Tbgz0REFEro3A"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy1y3TfBuIwINbOHlK"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3Th2J5v86Vnkm7"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_352Zy1jEhuYvAxxGPTJUM", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy1y3TjSRhZQQTxH3M"}], "restored": []}	f	1	835	00-ded8f4f9eba6fb07a37b75bcf4b0cd2b-b5000c7084cd5092-00
01a20872-b4e8-7aa6-a043-d387fe68bfbf	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:44.869+00	01a20872-b4e8-70b0-ac25-e996e2ff158c	1	back office	API_KEY	{"state": "CREATED"}	f	1	841	00-d8200845eeecc590ab2e5acab2e3b84b-8936eaae6295a86e-00
01a20872-b4ef-7b41-8469-05dea164e261	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:44.876+00	01a20872-b4ed-789d-ae0f-bacd15d43c38	1	back office	API_KEY	{"state": "CREATED"}	f	1	844	00-7f7104b547964a0b9ae1757779d1f185-9065c830a314c57f-00
01a20872-b4ef-7b5f-95f9-960260ee950b	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_STARTED	2026-11-23 12:47:44.876+00	01a20872-b4ed-789d-ae0f-bacd15d43c38	2	back office	API_KEY	{"state": "STARTED"}	f	1	844	00-7f7104b547964a0b9ae1757779d1f185-9065c830a314c57f-00
01a20872-b4f9-7148-8a48-c751a6dbd29e	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:44.886+00	01a20872-b4f8-7271-b270-36a2b35c4fa2	1	back office	API_KEY	{"state": "CREATED"}	f	1	849	00-25d03295caf2a38ec19c28724234b4b3-f065d9d7bacdf38e-00
01a20872-b4f9-7161-a036-6773090dcd32	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_STARTED	2026-11-23 12:47:44.886+00	01a20872-b4f8-7271-b270-36a2b35c4fa2	2	back office	API_KEY	{"state": "STARTED"}	f	1	849	00-25d03295caf2a38ec19c28724234b4b3-f065d9d7bacdf38e-00
01a20872-b513-7de6-8c59-e68601b22fa2	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_PRICING_CALCULATED	2026-11-23 12:47:44.914+00	01a20872-b4f8-7271-b270-36a2b35c4fa2	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	861	00-294fcc5c8e9c9def1b2b018c592f7ab4-2fe3c8bab05337f4-00
01a20872-b544-77a9-b198-dd61ab5f574b	01a20872-afdf-71c9-9726-b485fcac2492	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 12:47:44.962+00	01a20872-b4f8-7271-b270-36a2b35c4fa2	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Zy2YJinGjGEK8knDc9"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Zy2YJitfkYEht5T5WP"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Zy2YJiw7yHTtQcVNKZ"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Zy2YJiyfeUsFxHKzWS"}, {"status": "PENDING", "entity_id": "w_352Zy2QuIvGkHebMb4F2w", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Zy2YJj01tWjZY94s9c"}, {"status": "PENDING", "entity_id": "b_352Zy1jEfpATzztPAAtVI", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Zy2YJj5Pzz8A0UcN7X"}, {"status": "PENDING", "entity_id": "p_352Zy1jEho7Z1eVsuAGOn", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Zy2YJj8FO6eR7yQ9gh"}], "removed": [], "restored": []}	f	1	869	00-d35509410ba96519ca5300aa111152f7-288d8b3ac0b98dcf-00
01a20872-b560-73c2-af16-889abcd9dc1c	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_COMPLETED	2026-11-23 12:47:44.989+00	01a20872-b4f8-7271-b270-36a2b35c4fa2	5	back office	API_KEY	{"state": "ENDED"}	f	1	875	00-81a49592082da9ab9b5887b557f11119-1c5e22891c02547a-00
01a20872-b58d-7800-8a5f-f4143050bf04	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:45.034+00	01a20872-b58c-7e88-8d4f-3f7ef4c512f1	1	back office	API_KEY	{"state": "CREATED"}	f	1	891	00-7a60f06349b9a442ac749072f035c591-822f7a29f4f292cb-00
01a20872-b58d-7829-83d0-37f65b7f1759	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_STARTED	2026-11-23 12:47:45.034+00	01a20872-b58c-7e88-8d4f-3f7ef4c512f1	2	back office	API_KEY	{"state": "STARTED"}	f	1	891	00-7a60f06349b9a442ac749072f035c591-822f7a29f4f292cb-00
01a20872-b59b-7c02-8bcc-0068963aefe5	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_ENDPOINT_FAILING	2026-11-23 12:47:45.051+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T12:47:44.486Z", "waiting": 5, "url_host": "127.0.0.1:37881", "config_id": "whc_352Zy1UuWGVt4nHDiuYHl", "last_error": "the connection was closed before the whole answer had come"}	f	1	894	00-7a60f06349b9a442ac749072f035c591-822f7a29f4f292cb-00
01a20872-b5a9-75ab-92a3-36dc0e739283	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_ENDPOINT_FAILING	2026-11-23 12:47:45.064+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T12:47:44.486Z", "waiting": 5, "url_host": "127.0.0.1:37881", "config_id": "whc_352Zy1WN0RTeOGDC6YGEr", "last_error": "HTTP 503"}	f	1	895	00-7a60f06349b9a442ac749072f035c591-822f7a29f4f292cb-00
01a20872-c1a1-7369-902a-44bfd2f6d894	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.127+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	910	00-eef46107dd325c95cfdbda376434f276-2dd194d91f166813-00
01a20872-c1a4-7d3a-b4f5-590adfe48077	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.132+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	913	00-045d088d3e88717d9bb61ac2c101bb50-2c12f333a3b93dab-00
01a20872-c1a7-7743-ae8d-2680c8dc76ef	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.134+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	916	00-8aed32305f2341349925a3d0ac770da9-dcc8632353879298-00
01a20872-c1aa-733b-89be-ee9948448511	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.137+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	919	00-0afc63ed0b76168a870f3c08fe299afe-096267a8702423e3-00
01a20872-c1ac-79ea-8209-6cec6df81ab4	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.14+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	922	00-41df3411320a37bfe58b6efde7235843-7de84212e2a64d54-00
01a20872-c1b2-7b70-b993-fd1d9385dcf2	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.146+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	926	00-43e8e2ee5cdcee39fc1dc8b97961efe1-e069baa36d9232f8-00
01a20872-c1b5-7885-82c0-56567f2ea645	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.149+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	929	00-a7ce37ed3f6bf49390819ad6551cfca2-5641357b99e8bd38-00
01a20872-c1ba-79f0-8fc5-b76281893e5e	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.154+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	932	00-d1f1d143f871a2e292a139b72b03f09a-2cd4a71e2df0d8ec-00
01a20872-c1bf-75ba-8558-8461ed9c25f2	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.158+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	934	00-4e75f7612a0c7a11b9a679227c01daa2-c65b2a64383031dd-00
01a20872-c1c4-76dd-9210-cbe91e653ff4	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.163+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	940	00-ae4ca5b399ea3d0fab30d30031555b52-50d52146ebde8c29-00
01a20872-c1d0-7a69-814c-7194eb834bae	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_ENDPOINT_FAILING	2026-11-23 12:47:48.176+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T12:47:45.012Z", "waiting": 6, "url_host": "127.0.0.1:37881", "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5", "last_error": "HTTP 503"}	f	1	947	00-4e75f7612a0c7a11b9a679227c01daa2-c65b2a64383031dd-00
01a20872-c20c-7eda-837f-6c9aa65f5a40	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_ENDPOINT_RECOVERED	2026-11-23 12:47:48.236+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T12:47:44.486Z", "waiting": 9, "url_host": "127.0.0.1:37881", "config_id": "whc_352Zy1UuWGVt4nHDiuYHl", "last_error": null}	f	1	965	00-eef46107dd325c95cfdbda376434f276-2dd194d91f166813-00
01a20872-c237-7ec8-a27c-8fef19e8bb03	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.279+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UuWGVt4nHDiuYHl"}	t	1	978	00-8241d8d50aaded6c8ec6bf9035a960cf-e01bb0d5de444328-00
01a20872-c263-79bf-b9f9-196695d7f968	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_TEST	2026-11-23 12:47:48.323+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5"}	t	1	991	00-9348f7a275027b4286c191071afc031e-d8835d47fc156cd7-00
01a20872-c26f-72b2-ad11-3a6cdf77bcc1	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_DELIVERY_FAILED	2026-11-23 12:47:48.332+00	\N	0	back office	API_KEY	{"event_id": "wh_352Zy7pkobUDbeeoatYAi", "config_id": "whc_352Zy1UWHzqgCEUMBNDZ5", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_352Zy7pkocua0d45qZ6Gg", "attempt_count": 0}	f	1	996	00-1c54473c3d913986c743fc1cf7e99334-1a7cacbe108295c6-00
01a20872-c29c-7b30-a985-9df62fc44cbe	01a20872-afdf-71c9-9726-b485fcac2492	WEBHOOK_KEY_ACTIVATED	2026-11-23 12:47:48.378+00	\N	0	back office	API_KEY	{"key_id": "whk_20261123_02"}	f	1	1006	00-14cac89c95c2e75d0148f8ee8624563d-89e73109f4cc5468-00
01a20872-c5f1-7c0a-8198-6e7be82b1d52	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_CREATED	2026-11-23 12:47:49.232+00	01a20872-c5f1-7622-ad7a-f87d25e6da75	1	back office	API_KEY	{"state": "CREATED"}	f	1	1063	00-42495d5da3c8285f739d605215686f02-288e39d5348be917-00
01a20872-c5f1-7c2d-abda-e48f3566582c	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_STARTED	2026-11-23 12:47:49.232+00	01a20872-c5f1-7622-ad7a-f87d25e6da75	2	back office	API_KEY	{"state": "STARTED"}	f	1	1063	00-42495d5da3c8285f739d605215686f02-288e39d5348be917-00
01a20872-c5f7-73cf-a4ab-670acb7e9b34	01a20872-afdf-71c9-9726-b485fcac2492	WORKFLOW_COMPLETED	2026-11-23 12:47:49.237+00	01a20872-c5f1-7622-ad7a-f87d25e6da75	3	back office	API_KEY	{"state": "ENDED"}	f	1	1066	00-db42a42bd6adfd98a0ef1b7c7f1d9ca1-6d3654c16a55d195-00
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a20872-afdf-71c9-9726-b485fcac2492	whk_20261123_01	2026-11-23	1	DELETED	\\x01b1553a0ea043d08ad4709943599aef091cd21bd7c0602689c0c5d7b06a3f55f9b1ea1fe1b62b5a887e5c3c05424439ab50d16dbf882b2d8bb9f57ed9f43ed9a7fa382f50aa46ede72fb3ebc0	2026-11-23 12:47:44.141+00	2026-11-23 12:47:44.208+00	2026-11-23 12:47:44.225+00	2026-11-23 12:47:48.378+00
01a20872-afdf-71c9-9726-b485fcac2492	whk_20261123_02	2026-11-23	2	ACTIVE	\\x01b1553a0e92055a089d2de6446e0454f654c2920765142f2ecafe18d94a78f55978d479ace0eefc40a4d8f3e3244cf47c8ada9ac1e4df1efd89d8a2931b9fc4fac152f27ca252fad8d5379de6	2026-11-23 12:47:48.345+00	2026-11-23 12:47:48.361+00	2026-11-23 12:47:48.378+00	\N
01a20872-afdf-71c9-9726-b485fcac2492	whk_20261123_03	2026-11-23	3	INACTIVE	\\x01b1553a0e6146d9cce6bedd464d189c4ff4690b1219bb5993bcf031345922f1343161b0e9339c79fcfcb0a74dde517fe0b4f331c1369032069a39685a396bd148a2fedf0c20277c404e8afc66	2026-11-23 12:47:48.399+00	2026-11-23 12:47:48.415+00	\N	\N
\.

COPY webhook_key_day (account_id, day, n) FROM stdin;
01a20872-afdf-71c9-9726-b485fcac2492	2026-11-23	3
\.

COPY webhook_ready (endpoint_id, account_id, closed, turn, paced_until) FROM stdin;
01a20872-b294-7a03-8fa4-ad6bf13aba69	01a20872-afdf-71c9-9726-b485fcac2492	f	-infinity	\N
01a20872-b2a1-7af8-8328-cbbfc01cfe6b	01a20872-afdf-71c9-9726-b485fcac2492	t	2026-11-23 12:47:48.174+00	\N
01a20872-b2a5-7d4d-b8c5-1ee09449cbf5	01a20872-afdf-71c9-9726-b485fcac2492	f	-infinity	\N
01a20872-b2b4-761c-bbde-ec20c361e6e9	01a20872-afdf-71c9-9726-b485fcac2492	t	2026-11-23 12:47:45.043+00	\N
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a20872-c2c3-73a9-9e3d-84e4a12a1953	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b294-7a03-8fa4-ad6bf13aba69	2026-01-01 00:00:00+00	2026-11-23 12:47:48.419+00	{WORKFLOW_COMPLETED}	COMPLETED	01a20872-c29c-7b30-a985-9df62fc44cbe	t	1	1	00-53516db66734b80d344e47d3f21e0d38-f05b51327c886d40-00	2026-11-23 12:47:48.418+00	2026-11-23 12:47:49.14+00	2026-11-23 12:52:49.14+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a20872-b349-77fa-8b02-31a6c530b54c	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b338-7176-ad72-f5908ac5f2e0	STARTED	600.375000	2026-11-23 12:47:44.814+00	6ae7e271f9aade34fa40f042b87782326494d4be03471ae88f5b05bedc055e48	3	2026-11-23 12:47:44.852+00	3	2	01a20872-b330-71a3-971d-dfd5a515eb3c	10	2026-11-23 12:47:44.455+00	2026-11-23 12:47:44.455+00	\N	2026-11-23 12:47:44.814+00
01a20872-b4e8-70b0-ac25-e996e2ff158c	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b338-7176-ad72-f5908ac5f2e0	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-23 12:47:44.869+00	\N	\N	2026-11-23 12:47:44.869+00
01a20872-b4ed-789d-ae0f-bacd15d43c38	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b342-7915-8234-1b9139019986	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-23 12:47:44.876+00	2026-11-23 12:47:44.876+00	\N	2026-11-23 12:47:44.876+00
01a20872-b4f8-7271-b270-36a2b35c4fa2	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b338-7176-ad72-f5908ac5f2e0	ENDED	600.375000	2026-11-23 12:47:44.914+00	6ae7e271f9aade34fa40f042b87782326494d4be03471ae88f5b05bedc055e48	2	2026-11-23 12:47:44.962+00	2	2	01a20872-b330-71a3-971d-dfd5a515eb3c	5	2026-11-23 12:47:44.886+00	2026-11-23 12:47:44.886+00	2026-11-23 12:47:44.989+00	2026-11-23 12:47:44.989+00
01a20872-b58c-7e88-8d4f-3f7ef4c512f1	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b585-7210-89f2-833c5aaf2b26	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-23 12:47:45.034+00	2026-11-23 12:47:45.034+00	\N	2026-11-23 12:47:45.034+00
01a20872-c5f1-7622-ad7a-f87d25e6da75	01a20872-afdf-71c9-9726-b485fcac2492	01a20872-b345-77d5-b8cd-0ef1d7610c4a	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-23 12:47:49.232+00	2026-11-23 12:47:49.232+00	2026-11-23 12:47:49.237+00	2026-11-23 12:47:49.237+00
\.

